import { sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { Rendition, RENDITION_FILE_TYPES } from '../../../models/business/documents/rendition';
import type {
  DocumentFormat,
  RenderedKind,
  RenditionFormat,
  RenditionRecord,
} from '../../../models/business/documents/rendition';
import { DOCUMENT_RENDITION_WORKFLOW, workflowIds } from '../../../workflows/contracts';
import { getEncrypted, putEncrypted } from '../../platform/evidence/encrypted-objects';
import type { Platform } from '../../platform/platform';
import { RenderOnDemand } from '../../platform/renditions/render-on-demand';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { IssuedRecord } from './issued-documents';

/** Folder in the object store. It holds renditions of every kind and format; stored keys contain the name. */
const RENDITION_FOLDER = 'invoice-pdf';

const KIND_LABELS: Readonly<Record<RenderedKind, string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  statement: 'Statement',
  preview: 'Preview',
};

/** Unique key of a rendition: one per format and content of a document. */
export type RenditionKey = Pick<
  RenditionRecord,
  'organisationId' | 'documentKind' | 'documentId' | 'format' | 'contentHash'
>;

export interface StoredRendition {
  sha256: string;
  sizeBytes: number;
}

/** A file in the object store. */
export interface StoredFile extends StoredRendition {
  objectKey: string;
}

/** What identifies a rendition: another content of the document has another one. */
export const buildRenditionKey = (issued: IssuedRecord, format: RenditionFormat): RenditionKey => ({
  organisationId: issued.organisationId,
  documentKind: issued.kind,
  documentId: issued.id,
  format,
  contentHash: issued.contentHash,
});

/** A void document has a second PDF with a stamp; its electronic invoice stays as it was sent. */
export const selectRenditionFormat = (issued: IssuedRecord, format: DocumentFormat): RenditionFormat =>
  format === 'pdf' && issued.voidedOn !== null ? 'pdf_void' : format;

/** Matches a rendition until a file is stored for its current generation. */
export const buildUnclaimedFilter = ({ _id, generation }: Pick<RenditionRecord, '_id' | 'generation'>) => ({
  _id,
  generation,
  sha256: null,
});

/** Starts the workflow of a rendition that failed in the one that the organisation's documents share. */
export function startOwnWorkflow(unit: UnitOfWork, rendition: RenditionRecord): void {
  const { _id: renditionId, organisationId, documentKind, documentId, format, contentHash, generation } = rendition;
  // A completed workflow is never started again under its id; the one that replaces a lost object has another id.
  const content = generation === 1 ? contentHash : `${contentHash}.${generation}`;
  unit.start(organisationId, {
    workflow: DOCUMENT_RENDITION_WORKFLOW,
    workflowId: workflowIds.documentRendition(organisationId, documentId, format, content),
    argument: { renditionId, organisationId },
    summary: `${KIND_LABELS[documentKind]} ${documentId} as ${format.toUpperCase()}`,
    searchAttributes: { features: ['invoice_pdf'] },
  });
}

export const documentRenditions = new RenderOnDemand<RenditionRecord, RenditionKey, StoredFile>({
  model: Rendition,
  where: (conditions) => conditions,
  whereUnclaimed: buildUnclaimedFilter,
  buildRequest: (state) => ({
    $set: state,
    $setOnInsert: { _id: newId('ren'), generation: 1, objectKey: null, sha256: null, sizeBytes: null },
  }),
  buildCompletion: (file, state) => ({ $set: { ...file, ...state } }),
  buildFailure: (state) => ({ $set: state }),
  notReadyCode: 'pdf_not_ready',
  start: (unit, rendition) => {
    const { organisationId } = rendition;
    if (rendition.hasOwnWorkflow === true) startOwnWorkflow(unit, rendition);
    else
      unit.wake(organisationId, {
        workflow: 'documentRenditions',
        workflowId: workflowIds.documentRenditions(organisationId),
        argument: { organisationId },
        summary: 'documents',
      });
  },
});

/** Hash and size of the stored file; null until it is stored. */
export const toStoredRendition = ({ status, sha256, sizeBytes }: RenditionRecord): StoredRendition | null =>
  status === 'stored' && sha256 !== null && sizeBytes !== null ? { sha256, sizeBytes } : null;

/** The key contains the hashes of content and bytes: two attempts with different bytes never overwrite each other. */
const buildObjectKey = ({ organisationId, contentHash, format }: RenditionKey, sha256: string): string =>
  `${organisationId}/${RENDITION_FOLDER}/${contentHash}/${sha256}.${RENDITION_FILE_TYPES[format].extension}`;

/** Encrypts and uploads a file of a rendition. Until the rendition refers to it, the sweeper may remove it; equal files share a key. */
export async function storeFile(platform: Platform, key: RenditionKey, bytes: Buffer): Promise<StoredFile> {
  const sha256 = sha256Hex(bytes);
  const objectKey = buildObjectKey(key, sha256);
  await putEncrypted(platform, key.organisationId, objectKey, bytes);
  return { objectKey, sha256, sizeBytes: bytes.length };
}

/**
 * Stores a rendered file, unless another attempt was first: then its bytes stay the document, and these are removed.
 * @param rendition as it was before it was rendered
 * @returns what is stored now.
 */
export async function storeRendition(
  platform: Platform,
  rendition: RenditionRecord,
  bytes: Buffer,
): Promise<StoredRendition> {
  const file = await storeFile(platform, rendition, bytes);
  const { sha256, sizeBytes, objectKey } = file;
  if (await documentRenditions.complete(platform, rendition, file)) return { sha256, sizeBytes };
  const current = await documentRenditions.get(rendition._id);
  if (current.objectKey !== objectKey) await platform.objects.remove(objectKey);
  return toStoredRendition(current) ?? { sha256, sizeBytes };
}

/**
 * Reads the stored bytes.
 * @returns null if the object is lost or does not match its hash; the rendition then counts as failed, so that the next
 * request renders it again
 */
export async function readStored(platform: Platform, rendition: RenditionRecord): Promise<Buffer | null> {
  const { _id, organisationId, objectKey, sha256, generation } = rendition;
  const bytes = objectKey === null ? null : await getEncrypted(platform, organisationId, objectKey);
  if (bytes !== null && sha256Hex(bytes) === sha256) return bytes;
  platform.logger.error({ renditionId: _id, objectKey }, 'A stored file is missing or altered; it is rendered again');
  await Rendition.updateOne(
    { _id, generation, status: 'stored' },
    {
      $set: { status: 'failed', failure: 'object_lost', objectKey: null, sha256: null, sizeBytes: null },
      $inc: { generation: 1 },
    },
  );
  return null;
}

/** For the sweeper: returns the keys that a rendition refers to, and all keys outside the folder of renditions. */
export async function findReferencedRenditionObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const isRendition = (key: string): boolean => key.includes(`/${RENDITION_FOLDER}/`);
  const referenced = await Rendition.find({ objectKey: { $in: keys.filter(isRendition) } }, { objectKey: 1 }).lean();
  return new Set([
    ...keys.filter((key) => !isRendition(key)),
    ...referenced.flatMap(({ objectKey }) => objectKey ?? []),
  ]);
}

import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Rendition } from '../../../models/business/documents/rendition';
import type {
  DocumentFormat,
  PrintedKind,
  RenditionFormat,
  RenditionRecord,
} from '../../../models/business/documents/rendition';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { requireCompliantDocument } from './einvoices';
import { getIssuedRecord, readIssuedDocument } from './issued-documents';
import type { IssuedRecord } from './issued-documents';
import { readStored, selectRenditionFormat, buildRenditionKey } from './renditions';

/** A rendition asked for longer ago than this is asked for again: its workflow may have been terminated. */
const STALE_REQUEST_AFTER_MS = 30_000;
/** What a client is told to wait before it asks again. */
const RETRY_AFTER_SECONDS = 5;

/** A stored file of a document. */
export interface DocumentFile {
  number: string;
  bytes: Buffer;
  /** Hex; equal documents have equal hashes. */
  sha256: string;
}

const SUMMARIES: Readonly<Record<PrintedKind, string>> = { invoice: 'Invoice', credit_note: 'Credit note' };

/** Records the wish for a rendition and owes its workflow a start, in one transaction. */
async function requestRendition(
  platform: Platform,
  issued: IssuedRecord,
  format: RenditionFormat,
): Promise<RenditionRecord> {
  const now = platform.clock.now();
  return runTransaction(platform, async (unit) => {
    const rendition = await Rendition.findOneAndUpdate(
      { ...buildRenditionKey(issued, format), status: { $ne: 'stored' } },
      {
        $set: { status: 'pending', failure: null, requestedAt: now, completedAt: null },
        $setOnInsert: { _id: newId('ren'), generation: 1, objectKey: null, sha256: null, sizeBytes: null },
      },
      { upsert: true, returnDocument: 'after', session: unit.mongoSession },
    ).lean<RenditionRecord>();
    const { _id: renditionId, organisationId, generation } = rendition;
    // A workflow that succeeded is never started again under its id; the one that replaces a lost object has another.
    const content = generation === 1 ? issued.contentHash : `${issued.contentHash}.${generation}`;
    await unit.start(organisationId, {
      workflow: 'invoicePdf',
      workflowId: workflowIds.invoicePdf(organisationId, issued.id, format, content),
      argument: { renditionId, organisationId },
      summary: `${SUMMARIES[issued.kind]} ${issued.id} as ${format.toUpperCase()}`,
      searchAttributes: { features: ['invoice_pdf'] },
    });
    return rendition;
  });
}

/** The rendition as it stands, asked for unless it is stored or on its way. */
async function ensureRendition(
  platform: Platform,
  issued: IssuedRecord,
  format: RenditionFormat,
): Promise<RenditionRecord> {
  const find = () => Rendition.findOne(buildRenditionKey(issued, format)).lean<RenditionRecord>();
  const existing = await find();
  const isStale = (rendition: RenditionRecord): boolean =>
    platform.clock.now().getTime() - rendition.requestedAt.getTime() > STALE_REQUEST_AFTER_MS;
  if (existing?.status === 'stored' || (existing?.status === 'pending' && !isStale(existing))) return existing;
  try {
    return await requestRendition(platform, issued, format);
  } catch (error) {
    // Another request inserted the row, or an attempt stored it, between the look and the write.
    const concurrent = isDuplicateKeyError(error) ? await find() : null;
    if (concurrent === null) throw error;
    return concurrent;
  }
}

async function readOrRequestBytes(
  platform: Platform,
  issued: IssuedRecord,
  format: RenditionFormat,
): Promise<[RenditionRecord, Buffer | null]> {
  const rendition = await ensureRendition(platform, issued, format);
  if (rendition.status !== 'stored') return [rendition, null];
  const bytes = await readStored(platform, rendition);
  return bytes === null ? [await ensureRendition(platform, issued, format), null] : [rendition, bytes];
}

/** Electronic invoices are refused before they are asked for; what is stored was fit. */
async function rejectNoncompliant(issued: IssuedRecord, format: RenditionFormat): Promise<void> {
  if (format !== 'facturx' && format !== 'ubl') return;
  if ((await Rendition.exists({ ...buildRenditionKey(issued, format), status: 'stored' })) !== null) return;
  requireCompliantDocument(await readIssuedDocument(issued));
}

/** Waits until a rendition is stored. */
async function waitUntilStored(
  platform: Platform,
  rendition: RenditionRecord,
  waitMs: number,
): Promise<[Buffer, string]> {
  const settled = await platform.changes.waitFor('renditions', rendition._id, waitMs, async () => {
    const latest = await Rendition.findById(rendition._id).lean<RenditionRecord>();
    return latest === null || latest.status === 'pending' ? null : latest;
  });
  const bytes = settled?.status === 'stored' ? await readStored(platform, settled) : null;
  if (bytes !== null && settled !== null && settled.sha256 !== null) return [bytes, settled.sha256];
  if (settled?.status === 'failed') {
    throw new AppError('rendering_failed', 503, 'The file could not be made; the next request tries again.', {
      reason: settled.failure,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  throw new AppError('pdf_not_ready', 503, 'The file is still being made; ask again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * A file of an issued document: from the object store when it is there, else made by the rendering pool while the
 * caller waits.
 * @param options.waitMs how long to wait; null only asks for it.
 * @returns null when `waitMs` was null and it is not there yet.
 * @throws AppError 404 for an unknown document; 409 `invoice_not_issued` for a draft and `einvoice_unfit` for one that
 * breaks rules of EN 16931; 503 `pdf_not_ready` or `rendering_failed`, both with `retryAfterSeconds`.
 */
export async function obtainDocumentFile(
  platform: Platform,
  scope: Scope,
  document: { kind: PrintedKind; id: number },
  options: { format: DocumentFormat; waitMs: number | null },
): Promise<DocumentFile | null> {
  const issued = await getIssuedRecord({ organisationId: scope.organisationId, ...document });
  const format = selectRenditionFormat(issued, options.format);
  await rejectNoncompliant(issued, format);
  const [rendition, bytes] = await readOrRequestBytes(platform, issued, format);
  const { number } = issued;
  if (bytes !== null && rendition.sha256 !== null) return { number, bytes, sha256: rendition.sha256 };
  if (options.waitMs === null) return null;
  const [printedBytes, sha256] = await waitUntilStored(platform, rendition, options.waitMs);
  return { number, bytes: printedBytes, sha256 };
}

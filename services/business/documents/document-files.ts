import type { DocumentFormat, PrintedKind } from '../../../models/business/documents/rendition';
import type { Platform, Scope } from '../../platform/platform';
import { buildRenditionKey, documentRenditions, readStored, selectRenditionFormat } from './document-renditions';
import type { RenditionKey } from './document-renditions';
import { requireCompliantDocument } from './einvoices';
import { getIssuedContent, getIssuedRecord } from './issued-documents';
import type { IssuedRecord } from './issued-documents';

/** A stored file of a document. */
export interface DocumentFile {
  number: string;
  bytes: Buffer;
  /** SHA-256 of the bytes, hex; equal documents have equal hashes. */
  sha256: string;
}

type StoredBytes = Pick<DocumentFile, 'bytes' | 'sha256'>;

/** Checks a document before its electronic invoice is requested; one that is stored has passed. */
async function rejectNoncompliant(issued: IssuedRecord, key: RenditionKey): Promise<void> {
  if (key.format === 'pdf' || key.format === 'pdf_void') return;
  if ((await documentRenditions.find(key))?.status === 'stored') return;
  requireCompliantDocument((await getIssuedContent(issued)).content);
}

/**
 * Requests the rendition unless it is stored, and waits for it.
 * @returns null if `waitMs` is null and the file is not stored yet
 * @throws AppError 503 `pdf_not_ready` or `rendering_failed`
 */
export async function readStoredFile(
  platform: Platform,
  key: RenditionKey,
  waitMs: number | null,
): Promise<StoredBytes | null> {
  let requestedAt = performance.now();
  let rendition = await documentRenditions.ensure(platform, key);
  if (rendition.status === 'stored') {
    const bytes = await readStored(platform, rendition);
    if (bytes !== null && rendition.sha256 !== null) return { bytes, sha256: rendition.sha256 };
    requestedAt = performance.now();
    rendition = await documentRenditions.ensure(platform, key);
  }
  if (waitMs === null) return null;
  const settled = await documentRenditions.waitUntilSettled(platform, rendition, waitMs, requestedAt);
  const bytes = settled?.status === 'stored' ? await readStored(platform, settled) : null;
  if (bytes === null || settled === null || settled.sha256 === null) throw documentRenditions.unavailableError(settled);
  return { bytes, sha256: settled.sha256 };
}

/**
 * Returns a file of an issued document: from the object store if it is stored, else rendered while the caller waits.
 * @param options.waitMs how long to wait; null only requests it.
 * @returns null if `waitMs` is null and the file is not stored yet.
 * @throws AppError 404 for an unknown document; 409 `invoice_not_issued` for a draft and `einvoice_unfit` for one that
 * violates rules of EN 16931; 503 `pdf_not_ready` or `rendering_failed`, both with `retryAfterSeconds`.
 */
export async function obtainDocumentFile(
  platform: Platform,
  scope: Scope,
  document: { kind: PrintedKind; id: number },
  options: { format: DocumentFormat; waitMs: number | null },
): Promise<DocumentFile | null> {
  const issued = await getIssuedRecord({ organisationId: scope.organisationId, ...document });
  const key = buildRenditionKey(issued, selectRenditionFormat(issued, options.format));
  await rejectNoncompliant(issued, key);
  const stored = await readStoredFile(platform, key, options.waitMs);
  return stored === null ? null : { number: issued.number, ...stored };
}

import { toCanonicalJson } from '../../../domain/canonical-json';
import { getLabels } from '../../../domain/business/documents/labels';
import type { InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { InvoicePreview } from '../../../models/business/invoices/invoice-preview';
import type { InvoicePreviewRecord } from '../../../models/business/invoices/invoice-preview';
import { reserveNumber } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { dryRunDraft } from '../invoices/drafts';
import type { InvoiceInput } from '../invoices/invoice-preparation';
import { readStoredFile } from './document-files';

/** Stores the content of a preview, once for equal content. */
async function savePreview(
  platform: Platform,
  organisationId: string,
  document: InvoiceSnapshot,
): Promise<InvoicePreviewRecord> {
  const key = { organisationId, contentHash: sha256Hex(toCanonicalJson(document)) };
  const createdAt = platform.clock.now();
  // A preview that is requested again is kept for as long as a new one, so that it does not expire while it is rendered.
  const find = () => InvoicePreview.findOneAndUpdate(key, { $set: { createdAt } }).lean<InvoicePreviewRecord>();
  const existing = await find();
  if (existing !== null) return existing;
  const id = await reserveNumber(organisationId, 'invoice-previews');
  const record: InvoicePreviewRecord = { ...key, id, document, createdAt };
  try {
    await InvoicePreview.create([record]);
    return record;
  } catch (error) {
    const concurrent = isDuplicateKeyError(error) ? await find() : null;
    if (concurrent === null) throw error;
    return concurrent;
  }
}

/**
 * Prints the content of an invoice with a stamp instead of a number, and waits for the file.
 * @throws AppError 503 `pdf_not_ready` or `rendering_failed`
 */
export async function printPreview(
  platform: Platform,
  { organisationId }: BusinessCaller,
  document: InvoiceSnapshot,
  waitMs: number,
): Promise<Buffer> {
  // The time of the request would make every preview a different file.
  const issuedAt = `${document.issueDate}T00:00:00.000Z`;
  const content = { ...document, number: getLabels(document.language).draft, issuedAt };
  const { id, contentHash } = await savePreview(platform, organisationId, content);
  const key = { organisationId, documentKind: 'preview', documentId: id, format: 'pdf', contentHash } as const;
  const file = await readStoredFile(platform, key, waitMs);
  if (file === null) throw new Error('a file was not waited for');
  return file.bytes;
}

/**
 * Prints an invoice as it would be issued, with a stamp instead of a number, and waits for the file.
 * @throws AppError 400 naming every invalid field; 503 `pdf_not_ready` or `rendering_failed`
 */
export async function printInvoicePreview(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  waitMs: number,
): Promise<Buffer> {
  const { document } = await dryRunDraft(platform, caller, input);
  return printPreview(platform, caller, document, waitMs);
}

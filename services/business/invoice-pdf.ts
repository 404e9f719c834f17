import { AppError, conflict, notFound } from '../../domain/errors';
import { sha256Hex } from '../../lib/crypto/secrets';
import { newId } from '../../lib/ids';
import { isDuplicateKey } from '../../lib/mongo';
import { Invoice } from '../../models/business/invoice';
import type { InvoiceRecord } from '../../models/business/invoice';
import { Rendition } from '../../models/business/rendition';
import type { RenditionFormat, RenditionRecord } from '../../models/business/rendition';
import { workflowIds } from '../../workflows/contracts';
import type { Platform, Scope } from '../platform/platform';
import { transact } from '../platform/unit-of-work';

/** A rendition asked for longer ago than this is asked for again: its workflow may have been terminated. */
const ASK_AGAIN_AFTER_MS = 30_000;
/** What a client is told to wait before it asks again. */
const RETRY_AFTER_SECONDS = 5;

export interface InvoicePdf {
  number: string;
  bytes: Buffer;
  /** Hex; equal documents have equal hashes. */
  sha256: string;
}

type Printed = Pick<InvoiceRecord, 'organisationId' | 'id' | 'number' | 'contentHash' | 'status'>;

async function findIssued(scope: Scope, invoiceId: number): Promise<Printed> {
  const invoice = await Invoice.findOne(
    { organisationId: scope.organisationId, id: invoiceId },
    { organisationId: 1, id: 1, number: 1, contentHash: 1, status: 1 },
  ).lean<Printed>();
  if (invoice === null) throw notFound('invoice');
  if (invoice.status === 'draft') {
    throw conflict('invoice_not_issued', 'A draft has no PDF; issue the invoice first.', { status: invoice.status });
  }
  return invoice;
}

const keyOf = (invoice: Printed, format: RenditionFormat) => ({
  organisationId: invoice.organisationId,
  invoiceId: invoice.id,
  format,
  contentHash: invoice.contentHash,
});

/** Records the wish for a rendition and owes its workflow a start, in one transaction. */
async function askFor(platform: Platform, invoice: Printed, format: RenditionFormat): Promise<RenditionRecord> {
  const now = platform.clock.now();
  return transact(platform, async (unit) => {
    const rendition = await Rendition.findOneAndUpdate(
      { ...keyOf(invoice, format), status: { $ne: 'stored' } },
      {
        $set: { status: 'pending', failure: null, requestedAt: now, completedAt: null },
        $setOnInsert: { _id: newId('ren'), generation: 1, objectKey: null, sha256: null, sizeBytes: null },
      },
      { upsert: true, returnDocument: 'after', session: unit.session },
    ).lean<RenditionRecord>();
    const { _id: renditionId, organisationId, generation } = rendition;
    // A workflow that succeeded is never started again under its id; the one that replaces a lost object has another.
    const content = generation === 1 ? invoice.contentHash : `${invoice.contentHash}.${generation}`;
    await unit.start(organisationId, {
      workflow: 'invoicePdf',
      workflowId: workflowIds.invoicePdf(organisationId, invoice.id, format, content),
      argument: { renditionId, organisationId },
      summary: `Invoice ${invoice.id} as ${format.toUpperCase()}`,
      searchAttributes: { features: ['invoice_pdf'] },
    });
    return rendition;
  });
}

/** The rendition as it stands, asked for unless it is stored or on its way. */
async function ensureRendition(
  platform: Platform,
  invoice: Printed,
  format: RenditionFormat,
): Promise<RenditionRecord> {
  const find = () => Rendition.findOne(keyOf(invoice, format)).lean<RenditionRecord>();
  const existing = await find();
  const askedLongAgo = (rendition: RenditionRecord): boolean =>
    platform.clock.now().getTime() - rendition.requestedAt.getTime() > ASK_AGAIN_AFTER_MS;
  if (existing?.status === 'stored' || (existing?.status === 'pending' && !askedLongAgo(existing))) return existing;
  try {
    return await askFor(platform, invoice, format);
  } catch (error) {
    // Another request inserted the row, or an attempt stored it, between the look and the write.
    const twin = isDuplicateKey(error) ? await find() : null;
    if (twin === null) throw error;
    return twin;
  }
}

/** The stored bytes; an object that is gone or not the one recorded is forgotten, so that it is printed again. */
async function readStored(platform: Platform, rendition: RenditionRecord): Promise<Buffer | null> {
  const { _id, objectKey, sha256, generation } = rendition;
  const bytes = objectKey === null ? null : await platform.objects.get(objectKey);
  if (bytes !== null && sha256Hex(bytes) === sha256) return bytes;
  platform.logger.error({ renditionId: _id, objectKey }, 'A stored PDF is missing or altered; it is printed again');
  await Rendition.updateOne(
    { _id, generation, status: 'stored' },
    {
      $set: { status: 'failed', failure: 'object_lost', objectKey: null, sha256: null, sizeBytes: null },
      $inc: { generation: 1 },
    },
  );
  return null;
}

async function storedBytes(
  platform: Platform,
  invoice: Printed,
  format: RenditionFormat,
): Promise<[RenditionRecord, Buffer | null]> {
  const rendition = await ensureRendition(platform, invoice, format);
  if (rendition.status !== 'stored') return [rendition, null];
  const bytes = await readStored(platform, rendition);
  return bytes === null ? [await ensureRendition(platform, invoice, format), null] : [rendition, bytes];
}

/**
 * The PDF of an issued invoice: from the object store when it is there, else printed by the rendering pool while the
 * caller waits.
 * @param options.waitMs how long to wait; null only asks for it.
 * @returns null when `waitMs` was null and it is not there yet.
 * @throws AppError 404 for an unknown invoice, 409 `invoice_not_issued`, 503 `pdf_not_ready` or `rendering_failed`,
 * both with `retryAfterSeconds`.
 */
export async function obtainInvoicePdf(
  platform: Platform,
  scope: Scope,
  invoiceId: number,
  options: { format: RenditionFormat; waitMs: number | null },
): Promise<InvoicePdf | null> {
  const invoice = await findIssued(scope, invoiceId);
  const [rendition, bytes] = await storedBytes(platform, invoice, options.format);
  if (bytes !== null && rendition.sha256 !== null) return { number: invoice.number, bytes, sha256: rendition.sha256 };
  if (options.waitMs === null) return null;
  const settled = await platform.changes.waitFor('renditions', rendition._id, options.waitMs, async () => {
    const now = await Rendition.findById(rendition._id).lean<RenditionRecord>();
    return now === null || now.status === 'pending' ? null : now;
  });
  const printed = settled?.status === 'stored' ? await readStored(platform, settled) : null;
  if (printed !== null && settled !== null && settled.sha256 !== null)
    return { number: invoice.number, bytes: printed, sha256: settled.sha256 };
  if (settled?.status === 'failed') {
    throw new AppError('rendering_failed', 503, 'The PDF could not be made; the next request tries again.', {
      reason: settled.failure,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  throw new AppError('pdf_not_ready', 503, 'The PDF is still being made; ask again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

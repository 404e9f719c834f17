import { Types } from 'mongoose';
import { AppError, conflictError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { InvoiceDraft } from '../../../models/business/invoices/invoice';
import type { InvoiceDraftRecord, InvoiceRecord, StoredInvoice } from '../../../models/business/invoices/invoice';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { compactCountsPeriodically, recordCountChanges } from '../documents/document-counts';
import type { CountChange } from '../documents/document-counts';
import { applyDraftChanges, buildDraftInput, buildSentInvoice } from './draft-content';
import type { DraftChanges } from './draft-content';
import { buildInvoiceContent } from './invoice-content';
import { getInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput } from './invoice-preparation';
import { getRecord, insertRecord, omitUndefined, buildAuditSubject, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';
import { requireVersion } from '../../platform/transactions/versions';

/** Invoices that are drafts; once issued, a record no longer matches. */
export const DRAFT_KIND: RecordKind<InvoiceDraftRecord> = {
  model: InvoiceDraft,
  name: 'invoice',
  counter: 'invoices',
  unique: null,
  where: (key) => ({ ...key, status: 'draft' }),
};

/** Identifies a draft and the version that the client has read; undefined matches any version. */
export interface DraftKey {
  id: number;
  ifMatch: number | undefined;
}

/** The change of the list's totals when a draft is added (1) or removed (−1). */
export const buildDraftCountChange = (draft: InvoiceDraftRecord, count: 1 | -1): CountChange => ({
  organisationId: draft.organisationId,
  list: INVOICE_LIST,
  status: draft.status,
  day: draft.issueDate,
  count,
  baseTotal: fromDecimal128(draft.baseTotal).times(count),
});

const alreadyIssuedError = ({ id, number, status }: InvoiceRecord) =>
  conflictError(
    'invoice_already_issued',
    `The invoice is issued as ${number} and cannot be changed; void it or issue a credit note.`,
    { invoiceId: id, number, status, routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'] },
  );

/** @throws AppError 409 `invoice_already_issued` listing the routes that apply instead */
export function requireDraft(invoice: StoredInvoice): asserts invoice is InvoiceDraftRecord {
  if (invoice.status !== 'draft') throw alreadyIssuedError(invoice);
}

/** Reads the current record within a transaction, which sees an issue that a majority has not confirmed yet. */
export const readCurrentInvoice = (platform: Platform, caller: BusinessCaller, id: number): Promise<StoredInvoice> =>
  runTransaction(platform, (unit) => getInvoice(caller, id, unit));

/**
 * Runs work that only a draft allows.
 * @throws AppError 404; 409 `invoice_already_issued` listing the routes that apply instead
 */
export async function withDraft<R>(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    requireDraft(await readCurrentInvoice(platform, caller, id));
    throw error;
  }
}

/**
 * Stores a draft: computed and validated as an invoice, without number, stock movements and receivable.
 * @returns the draft; for a repeated Idempotency-Key its current record, which may have been issued since
 * @throws AppError 400 naming every invalid field
 */
export async function createDraft(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  use: IdempotentUse | undefined,
): Promise<StoredInvoice> {
  const { organisationId } = caller;
  return runIdempotently<StoredInvoice>(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(platform, caller, input, now);
      const record: InvoiceDraftRecord = {
        ...buildInvoiceContent(caller, prepared, null, now),
        _id: new Types.ObjectId(),
        organisationId,
        id: await reserveNumber(organisationId, DRAFT_KIND.counter),
        status: 'draft',
        number: null,
        sent: buildSentInvoice(input),
        version: 1,
        createdBy: caller.id,
        createdAt: now,
      };
      await runTransaction(platform, async (unit) => {
        await insertRecord(unit, caller, DRAFT_KIND, record);
        await recordCountChanges(unit, [buildDraftCountChange(record, 1)]);
        await claim(unit, String(record.id), 201);
      });
      compactCountsPeriodically(platform, organisationId, INVOICE_LIST, record.id);
      return record;
    },
    (recordId) => getInvoice(caller, Number(recordId)),
  );
}

/** Computes the draft that `createDraft` would store, with the same errors; writes nothing. */
export async function dryRunDraft(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  return buildInvoiceContent(caller, await prepareInvoice(platform, caller, input, now), null, now);
}

/**
 * Changes a draft and computes it again.
 * @throws AppError 400 naming every invalid field; 404; 409 `invoice_already_issued`; 412
 */
export const updateDraft = (
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  changes: DraftChanges,
): Promise<InvoiceDraftRecord> =>
  withDraft(platform, caller, at.id, () =>
    updateRecord(
      platform,
      caller,
      DRAFT_KIND,
      at,
      { fields: Object.keys(omitUndefined(changes)) },
      async (current, now, unit): Promise<InvoiceDraftRecord> => {
        const sent = applyDraftChanges(current, changes);
        const prepared = await prepareInvoice(platform, caller, buildDraftInput(sent), now);
        const changed = { ...current, ...buildInvoiceContent(caller, prepared, null, now), sent };
        await recordCountChanges(unit, [buildDraftCountChange(current, -1), buildDraftCountChange(changed, 1)]);
        return changed;
      },
    ),
  );

/** Deletes a draft; its id is not reused. @throws AppError 404; 409 `invoice_already_issued`; 412 */
export const deleteDraft = (platform: Platform, caller: BusinessCaller, at: DraftKey): Promise<void> =>
  withDraft(platform, caller, at.id, () =>
    runTransaction(platform, async (unit) => {
      const draft = await getRecord(caller, DRAFT_KIND, at.id, unit);
      requireVersion(draft.version, at.ifMatch);
      await InvoiceDraft.deleteOne({ _id: draft._id, version: draft.version }, { session: unit.mongoSession });
      await recordCountChanges(unit, [buildDraftCountChange(draft, -1)]);
      await unit.audit(caller, {
        actor: caller.id,
        action: 'invoice.deleted',
        subject: buildAuditSubject(DRAFT_KIND, at.id),
      });
    }),
  );

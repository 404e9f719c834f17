import { Types } from 'mongoose';
import { AppError, conflict } from '../../../domain/errors';
import { fromStored, toStored } from '../../../models/business/decimal128';
import { InvoiceDraft } from '../../../models/business/invoices/invoice';
import type { InvoiceDraftRecord, InvoiceRecord, StoredInvoice } from '../../../models/business/invoices/invoice';
import { nextNumber } from '../../platform/transactions/counters';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { noteCounts } from '../documents/document-counts';
import type { CountChange } from '../documents/document-counts';
import { changeDraft, inputOfDraft, sentInvoice } from './draft-content';
import type { DraftChanges } from './draft-content';
import { getInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { snapshotOf } from './invoice-snapshot';
import { lineWarehousesOf, tokensOf } from './invoice-writing';
import { foldNowAndThen } from './invoices';
import { getRecord, insertRecord, sentOf, subjectOf, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';
import { requireVersion } from '../records/versions';

/** Drafts among the invoices: one that was issued is none any more. */
export const DRAFT_KIND: RecordKind<InvoiceDraftRecord> = {
  model: InvoiceDraft,
  name: 'invoice',
  counter: 'invoices',
  unique: null,
  where: (key) => ({ ...key, status: 'draft' }),
};

/** Names a draft, and the version of it that the client has seen; undefined: any. */
export interface DraftKey {
  id: number;
  ifMatch: number | undefined;
}

/** What a draft holds of an invoice worked out: everything but its number. */
function contentOf(caller: BusinessCaller, prepared: PreparedInvoice, now: Date) {
  const { calculation, base, customer } = prepared;
  return {
    seriesId: prepared.series.id,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    customerId: customer.id,
    currencyCode: prepared.currencyCode,
    total: toStored(calculation.total),
    taxTotal: toStored(calculation.taxTotal),
    grandTotal: toStored(calculation.grandTotal),
    baseTotal: toStored(base.total),
    baseTaxTotal: toStored(base.taxTotal),
    baseGrandTotal: toStored(base.grandTotal),
    lineWarehouses: lineWarehousesOf(prepared),
    document: snapshotOf(caller.company, prepared, '', now),
    tokens: tokensOf(prepared, null),
    updatedAt: now,
  };
}

/** What the list's totals note of a draft more (1) or less (−1). */
export const draftCount = (draft: InvoiceDraftRecord, count: 1 | -1): CountChange => ({
  organisationId: draft.organisationId,
  list: INVOICE_LIST,
  status: draft.status,
  day: draft.issueDate,
  count,
  baseTotal: fromStored(draft.baseTotal).times(count),
});

const alreadyIssued = ({ id, number, status }: InvoiceRecord) =>
  conflict(
    'invoice_already_issued',
    `The invoice is issued as ${number} and cannot change; void it, or issue a credit note.`,
    { invoiceId: id, number, status, routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'] },
  );

/** @throws AppError 409 `invoice_already_issued` naming the ways out */
export function requireDraft(invoice: StoredInvoice): asserts invoice is InvoiceDraftRecord {
  if (invoice.status !== 'draft') throw alreadyIssued(invoice);
}

/** What stands under the id now, read as transactions see it: a majority may not have confirmed an issue yet. */
export const standing = (platform: Platform, caller: BusinessCaller, id: number): Promise<StoredInvoice> =>
  transact(platform, (unit) => getInvoice(caller, id, unit));

/** Does what only a draft allows. @throws AppError 404; 409 `invoice_already_issued` naming the ways out */
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
    requireDraft(await standing(platform, caller, id));
    throw error;
  }
}

/**
 * Keeps a draft: worked out and checked as an invoice, without number, stock and receivable.
 * @returns the draft; for a repeated Idempotency-Key what has become of it
 * @throws AppError 400 naming every field that is wrong
 */
export async function createDraft(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  use: IdempotentUse | undefined,
): Promise<StoredInvoice> {
  const { organisationId } = caller;
  return idempotently<StoredInvoice>(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(caller, input, now);
      const record: InvoiceDraftRecord = {
        ...contentOf(caller, prepared, now),
        _id: new Types.ObjectId(),
        organisationId,
        id: await nextNumber(organisationId, DRAFT_KIND.counter),
        status: 'draft',
        number: null,
        sent: sentInvoice(input),
        version: 1,
        createdBy: caller.id,
        createdAt: now,
      };
      await transact(platform, async (unit) => {
        await insertRecord(unit, caller, DRAFT_KIND, record);
        await noteCounts(unit, [draftCount(record, 1)]);
        await claim(unit, String(record.id), 201);
      });
      foldNowAndThen(platform, organisationId, record.id);
      return record;
    },
    (recordId) => getInvoice(caller, Number(recordId)),
  );
}

/** Works a draft out as `createDraft` would, with the same refusals; writes nothing. */
export async function trialDraft(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  return contentOf(caller, await prepareInvoice(caller, input, now), now);
}

/**
 * Changes a draft and works it out again.
 * @throws AppError 400 naming every field that is wrong; 404; 409 `invoice_already_issued`; 412
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
      { fields: Object.keys(sentOf(changes)) },
      async (current, now, unit): Promise<InvoiceDraftRecord> => {
        const sent = changeDraft(current, changes);
        const prepared = await prepareInvoice(caller, inputOfDraft(sent), now);
        const changed = { ...current, ...contentOf(caller, prepared, now), sent };
        await noteCounts(unit, [draftCount(current, -1), draftCount(changed, 1)]);
        return changed;
      },
    ),
  );

/** Deletes a draft; its id is not used again. @throws AppError 404; 409 `invoice_already_issued`; 412 */
export const deleteDraft = (platform: Platform, caller: BusinessCaller, at: DraftKey): Promise<void> =>
  withDraft(platform, caller, at.id, () =>
    transact(platform, async (unit) => {
      const draft = await getRecord(caller, DRAFT_KIND, at.id, unit);
      requireVersion(draft.version, at.ifMatch);
      await InvoiceDraft.deleteOne({ _id: draft._id, version: draft.version }, { session: unit.session });
      await noteCounts(unit, [draftCount(draft, -1)]);
      await unit.audit(caller, { actor: caller.id, action: 'invoice.deleted', subject: subjectOf(DRAFT_KIND, at.id) });
    }),
  );

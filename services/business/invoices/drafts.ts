import { Types } from 'mongoose';
import { AppError, conflictError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { InvoiceDraft } from '../../../models/business/invoices/invoice';
import type { InvoiceDraftRecord, InvoiceRecord, StoredInvoice } from '../../../models/business/invoices/invoice';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { recordCountChanges } from '../documents/document-counts';
import type { CountChange } from '../documents/document-counts';
import { applyDraftChanges, buildDraftInput, buildSentInvoice } from './draft-content';
import type { DraftChanges } from './draft-content';
import { getInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { buildInvoiceSnapshot } from './invoice-snapshot';
import { listLineWarehouses, buildInvoiceTokens } from './invoice-writing';
import { compactCountsPeriodically } from './invoices';
import { getRecord, insertRecord, omitUndefined, buildAuditSubject, updateRecord } from '../records/records';
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
function buildDraftContent(caller: BusinessCaller, prepared: PreparedInvoice, now: Date) {
  const { calculation, base, customer } = prepared;
  return {
    seriesId: prepared.series.id,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    customerId: customer.id,
    currencyCode: prepared.currencyCode,
    total: toDecimal128(calculation.total),
    taxTotal: toDecimal128(calculation.taxTotal),
    grandTotal: toDecimal128(calculation.grandTotal),
    baseTotal: toDecimal128(base.total),
    baseTaxTotal: toDecimal128(base.taxTotal),
    baseGrandTotal: toDecimal128(base.grandTotal),
    lineWarehouses: listLineWarehouses(prepared),
    document: buildInvoiceSnapshot(caller.company, prepared, '', now),
    tokens: buildInvoiceTokens(prepared, null),
    updatedAt: now,
  };
}

/** What the list's totals note of a draft more (1) or less (−1). */
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
    `The invoice is issued as ${number} and cannot change; void it, or issue a credit note.`,
    { invoiceId: id, number, status, routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'] },
  );

/** @throws AppError 409 `invoice_already_issued` naming the ways out */
export function requireDraft(invoice: StoredInvoice): asserts invoice is InvoiceDraftRecord {
  if (invoice.status !== 'draft') throw alreadyIssuedError(invoice);
}

/** What stands under the id now, read as transactions see it: a majority may not have confirmed an issue yet. */
export const readCurrentInvoice = (platform: Platform, caller: BusinessCaller, id: number): Promise<StoredInvoice> =>
  runTransaction(platform, (unit) => getInvoice(caller, id, unit));

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
    requireDraft(await readCurrentInvoice(platform, caller, id));
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
  return runIdempotently<StoredInvoice>(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(caller, input, now);
      const record: InvoiceDraftRecord = {
        ...buildDraftContent(caller, prepared, now),
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
      compactCountsPeriodically(platform, organisationId, record.id);
      return record;
    },
    (recordId) => getInvoice(caller, Number(recordId)),
  );
}

/** Works a draft out as `createDraft` would, with the same refusals; writes nothing. */
export async function dryRunDraft(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  return buildDraftContent(caller, await prepareInvoice(caller, input, now), now);
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
      { fields: Object.keys(omitUndefined(changes)) },
      async (current, now, unit): Promise<InvoiceDraftRecord> => {
        const sent = applyDraftChanges(current, changes);
        const prepared = await prepareInvoice(caller, buildDraftInput(sent), now);
        const changed = { ...current, ...buildDraftContent(caller, prepared, now), sent };
        await recordCountChanges(unit, [buildDraftCountChange(current, -1), buildDraftCountChange(changed, 1)]);
        return changed;
      },
    ),
  );

/** Deletes a draft; its id is not used again. @throws AppError 404; 409 `invoice_already_issued`; 412 */
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

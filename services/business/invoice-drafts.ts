import { Types } from 'mongoose';
import { AppError, conflict } from '../../domain/errors';
import { currentContext } from '../../lib/context';
import { fromStored, toStored } from '../../models/business/decimal128';
import { Invoice, InvoiceDraft } from '../../models/business/invoice';
import type { InvoiceDraftRecord, InvoiceRecord, StoredInvoice } from '../../models/business/invoice';
import { nextNumber } from '../platform/counters';
import { idempotently } from '../platform/idempotency';
import type { Claim, IdempotentUse } from '../platform/idempotency';
import type { Platform } from '../platform/platform';
import { transact } from '../platform/unit-of-work';
import type { BusinessCaller } from './caller';
import { companyToday } from './company';
import { noteCounts } from './document-counts';
import type { CountChange } from './document-counts';
import { refuseUnfitInvoice } from './einvoices';
import { changeDraft, inputOfDraft, sentInvoice } from './invoice-draft-content';
import type { DraftChanges } from './invoice-draft-content';
import { acrossMidnight } from './invoice-issuing';
import { getInvoice, getIssuedInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { snapshotOf } from './invoice-snapshot';
import { lineWarehousesOf, tokensOf, writeInvoices } from './invoice-writing';
import type { InvoicePlace } from './invoice-writing';
import { foldNowAndThen, trialInvoice } from './invoices';
import { inPostingTurn, TURN_DEADLINE_MS } from './posting-queue';
import { getRecord, insertRecord, sentOf, subjectOf, updateRecord } from './records';
import type { RecordKind } from './records';
import { requireVersion } from './versions';

/** Drafts among the invoices: one that was issued is none any more. */
const KIND: RecordKind<InvoiceDraftRecord> = {
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
const draftCount = (draft: InvoiceDraftRecord, count: 1 | -1): CountChange => ({
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
const standing = (platform: Platform, caller: BusinessCaller, id: number): Promise<StoredInvoice> =>
  transact(platform, (unit) => getInvoice(caller, id, unit));

/** Does what only a draft allows. @throws AppError 404; 409 `invoice_already_issued` naming the ways out */
async function withDraft<R>(
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
        id: await nextNumber(organisationId, KIND.counter),
        status: 'draft',
        number: null,
        sent: sentInvoice(input),
        version: 1,
        createdBy: caller.id,
        createdAt: now,
      };
      await transact(platform, async (unit) => {
        await insertRecord(unit, caller, KIND, record);
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
      KIND,
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
      const draft = await getRecord(caller, KIND, at.id, unit);
      requireVersion(draft.version, at.ifMatch);
      await InvoiceDraft.deleteOne({ _id: draft._id, version: draft.version }, { session: unit.session });
      await noteCounts(unit, [draftCount(draft, -1)]);
      await unit.audit(caller, { actor: caller.id, action: 'invoice.deleted', subject: subjectOf(KIND, at.id) });
    }),
  );

/** The invoice takes the draft's place, id and history; the version guard holds what was read in this transaction. */
const inPlaceOf = (draft: InvoiceDraftRecord, attempt: string): InvoicePlace => ({
  id: draft.id,
  put: async (unit, issued) => {
    const record: InvoiceRecord = {
      ...issued,
      issueAttempt: attempt,
      version: draft.version + 1,
      createdBy: draft.createdBy,
      createdAt: draft.createdAt,
    };
    const { _id, version } = draft;
    const written = await Invoice.replaceOne({ _id, version }, record, { session: unit.session });
    if (written.matchedCount === 0) throw new Error('a draft changed within the transaction that read it');
    await noteCounts(unit, [draftCount(draft, -1)]);
    return record;
  },
});

/** One try to issue: everything is read, worked out and written in one transaction. */
async function issueOnce(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  attempt: string,
  claim: Claim,
): Promise<InvoiceRecord> {
  try {
    return await transact(platform, async (unit) => {
      const draft = await getRecord(caller, KIND, at.id, unit);
      requireVersion(draft.version, at.ifMatch);
      const now = platform.clock.now();
      const input = inputOfDraft(draft.sent);
      const prepared = await prepareInvoice(caller, input, now);
      refuseUnfitInvoice(caller.company, prepared, now);
      const [record] = await writeInvoices(platform, unit, [
        {
          caller,
          input,
          prepared,
          _id: draft._id,
          claim: (within, recordId) => claim(within, recordId, 200),
          requestId: currentContext().requestId,
          place: inPlaceOf(draft, attempt),
        },
      ]);
      if (record === undefined) throw new Error('a draft was issued without its record');
      return record;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    // Issued meanwhile: by this very attempt, whose commit was not known to have taken effect, or by another.
    const existing = await standing(platform, caller, at.id);
    if (existing.status !== 'draft' && existing.issueAttempt === attempt) return existing;
    throw error;
  }
}

/** Whether the draft leaves its date to the day of issue: then that day, else null. */
async function dayLeftOpen(platform: Platform, caller: BusinessCaller, id: number): Promise<string | null> {
  const { sent } = await getRecord(caller, KIND, id);
  return sent.issueDate === null ? companyToday(platform, caller) : null;
}

/**
 * Issues a draft as an invoice of its own: worked out again with the prices, rates and defaults of now, and everything
 * that `createInvoice` writes in one transaction. The id stays.
 * @throws AppError as `createInvoice`; 404; 409 `invoice_already_issued`; 412
 */
export async function issueDraft(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  use: IdempotentUse | undefined,
): Promise<InvoiceRecord> {
  const deadline = Date.now() + TURN_DEADLINE_MS;
  return idempotently(
    platform,
    use,
    (claim) =>
      withDraft(platform, caller, at.id, async () => {
        const attempt = new Types.ObjectId().toHexString();
        const issue = () => issueOnce(platform, caller, at, attempt, claim);
        const record = await inPostingTurn(caller.organisationId, deadline, async () =>
          acrossMidnight(platform, caller, await dayLeftOpen(platform, caller, at.id), issue, issue),
        );
        foldNowAndThen(platform, caller.organisationId, record.sequence);
        return record;
      }),
    (recordId) => getIssuedInvoice(caller, Number(recordId)),
  );
}

/** What `issueDraft` would issue, with the refusals of `trialInvoice`; writes nothing. @throws AppError as `issueDraft` */
export const trialIssue = (
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> =>
  withDraft(platform, caller, at.id, async () => {
    const draft = await getRecord(caller, KIND, at.id);
    requireVersion(draft.version, at.ifMatch);
    return trialInvoice(platform, caller, inputOfDraft(draft.sent));
  });

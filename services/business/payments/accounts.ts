import type { ItemKind, ItemStateFilter, LedgerSide } from '../../../domain/business/payments/open-items';
import { notFoundError } from '../../../domain/errors';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { DayFilter, ListPage, ListQuery } from '../records/lists';
import { findParty } from '../parties/parties';
import { DEBIT_KINDS } from './payments';
import { addAllocatedItems, addRefundedCredits } from './item-references';
import type { AllocationWithItems, PaymentWithCredit } from './item-references';

export interface DatedFilter extends DayFilter {
  partyId?: readonly number[] | undefined;
}

const buildDatedFilter = ({ partyId, ...days }: DatedFilter) => {
  const date = buildDayRange(days);
  return {
    ...(partyId === undefined ? {} : { partyId: buildChoiceCondition(partyId) }),
    ...(date === null ? {} : { date }),
  };
};

export const ITEM_SORT_FIELDS = ['id', 'date', 'dueDate'] as const;

/** The condition of a filter by state. @param today `YYYY-MM-DD` */
export function buildItemStateCondition(filters: readonly ItemStateFilter[], today: string): object {
  if (filters.includes('all')) return {};
  const states = filters.filter((filter) => filter !== 'overdue');
  const state = buildChoiceCondition(states);
  if (!filters.includes('overdue') || states.includes('open')) return { state };
  const overdue = { state: 'open', dueDate: { $lt: today } };
  return states.length === 0 ? overdue : { $or: [{ state }, overdue] };
}

/**
 * Returns one page of receivables or payables: documents, not credits.
 * @param today `YYYY-MM-DD`, for overdue documents
 */
export const listItems = (
  caller: BusinessCaller,
  side: LedgerSide,
  filter: DatedFilter & { state: readonly ItemStateFilter[] },
  query: ListQuery,
  today: string,
): Promise<ListPage<OpenItemRecord>> =>
  readPage(
    OpenItem,
    {
      organisationId: caller.organisationId,
      side,
      kind: { $in: [...DEBIT_KINDS[side]] },
      ...buildItemStateCondition(filter.state, today),
      ...buildDatedFilter(filter),
    },
    query,
  );

export const PAYMENT_SORT_FIELDS = ['id', 'date'] as const;

export const ALLOCATION_SORT_FIELDS = ['id', 'date'] as const;

/** Ids of documents, payments and credit notes. */
export interface ItemFilter {
  documentId?: readonly number[] | undefined;
  paymentId?: readonly number[] | undefined;
  creditNoteId?: readonly number[] | undefined;
}

/** The condition that a field names the open items of some documents or credits; empty without a filter. */
async function buildItemCondition(
  { organisationId }: BusinessCaller,
  field: 'creditItemId' | 'debitItemId' | 'itemId',
  key: Pick<OpenItemRecord, 'side'> & { kind: readonly ItemKind[]; ids: readonly number[] | undefined },
): Promise<object[]> {
  const { side, kind, ids } = key;
  if (ids === undefined) return [];
  const filter = { organisationId, side, kind: { $in: [...kind] }, id: { $in: [...ids] } };
  const items = await OpenItem.find(filter, { _id: 1 }).lean<Pick<OpenItemRecord, '_id'>[]>();
  return [{ [field]: buildChoiceCondition(items.map(({ _id }) => _id)) }];
}

/**
 * The conditions that a record names the open items of a filter; none without a filter.
 * @param fields those that name a document, and a payment or credit note
 */
export async function buildItemConditions(
  caller: BusinessCaller,
  side: LedgerSide,
  { documentId, paymentId, creditNoteId }: ItemFilter,
  fields: { debit: 'debitItemId' | 'itemId'; credit: 'creditItemId' | 'itemId' },
): Promise<object[]> {
  const items = await Promise.all([
    buildItemCondition(caller, fields.debit, { side, kind: DEBIT_KINDS[side], ids: documentId }),
    buildItemCondition(caller, fields.credit, { side, kind: ['payment'], ids: paymentId }),
    buildItemCondition(caller, fields.credit, { side, kind: ['credit_note'], ids: creditNoteId }),
  ]);
  return items.flat();
}

/** Ids of the payments and credit notes that refunds pay out. */
export interface RefundFilter {
  refundOfPaymentId?: readonly number[] | undefined;
  refundOfCreditNoteId?: readonly number[] | undefined;
}

/** Returns one page of payments and refunds. */
export async function listPayments(
  caller: BusinessCaller,
  side: LedgerSide,
  { refundOfPaymentId: paymentId, refundOfCreditNoteId: creditNoteId, ...dated }: DatedFilter & RefundFilter,
  query: ListQuery,
): Promise<ListPage<PaymentWithCredit>> {
  const { organisationId } = caller;
  const fields = { debit: 'debitItemId', credit: 'creditItemId' } as const;
  const conditions = await buildItemConditions(caller, side, { paymentId, creditNoteId }, fields);
  const base = { organisationId, side, ...buildDatedFilter(dated) };
  const { rows, ...page } = await readPage(
    Payment,
    conditions.length === 0 ? base : { ...base, $and: conditions },
    query,
  );
  return { ...page, rows: await addRefundedCredits(organisationId, rows) };
}

/** Returns one page of applications of credits to documents, also reversed ones. */
export async function listAllocations(
  caller: BusinessCaller,
  side: LedgerSide,
  filter: DatedFilter & ItemFilter,
  query: ListQuery,
): Promise<ListPage<AllocationWithItems>> {
  const { documentId, paymentId, creditNoteId, ...dated } = filter;
  const ids = { documentId, paymentId, creditNoteId };
  const conditions = await buildItemConditions(caller, side, ids, { debit: 'debitItemId', credit: 'creditItemId' });
  const { organisationId } = caller;
  const base = { organisationId, side, ...buildDatedFilter(dated) };
  const { rows, ...page } = await readPage(
    Allocation,
    conditions.length === 0 ? base : { ...base, $and: conditions },
    query,
  );
  return { ...page, rows: await addAllocatedItems(organisationId, rows) };
}

/** @throws AppError 404 if the company has no such customer or vendor */
export async function requireParty(caller: BusinessCaller, side: LedgerSide, id: number): Promise<void> {
  if ((await findParty(caller, side, id)) === null) throw notFoundError(side === 'receivable' ? 'customer' : 'vendor');
}

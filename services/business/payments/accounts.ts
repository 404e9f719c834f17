import type { ItemState, LedgerSide } from '../../../domain/business/payments/open-items';
import { notFoundError } from '../../../domain/errors';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import type { BusinessCaller } from '../access/caller';
import { buildDayRange, readPage } from '../records/lists';
import type { DayFilter, ListPage, ListQuery } from '../records/lists';
import { findParty } from '../parties/parties';
import { DEBIT_KINDS } from './payments';

export interface DatedFilter extends DayFilter {
  partyId?: number | undefined;
}

const buildDatedFilter = ({ partyId, ...days }: DatedFilter) => {
  const date = buildDayRange(days);
  return { ...(partyId === undefined ? {} : { partyId }), ...(date === null ? {} : { date }) };
};

export const ITEM_SORT_FIELDS = ['id', 'date', 'dueDate'] as const;

/** Returns one page of receivables or payables: documents, not credits. */
export const listItems = (
  caller: BusinessCaller,
  side: LedgerSide,
  filter: DatedFilter & { state: ItemState | 'all' },
  query: ListQuery,
): Promise<ListPage<OpenItemRecord>> =>
  readPage(
    OpenItem,
    {
      organisationId: caller.organisationId,
      side,
      kind: { $in: [...DEBIT_KINDS[side]] },
      ...(filter.state === 'all' ? {} : { state: filter.state }),
      ...buildDatedFilter(filter),
    },
    query,
  );

export const PAYMENT_SORT_FIELDS = ['id', 'date'] as const;

/** Returns one page of payments and refunds. */
export const listPayments = (
  caller: BusinessCaller,
  side: LedgerSide,
  filter: DatedFilter,
  query: ListQuery,
): Promise<ListPage<PaymentRecord>> =>
  readPage(Payment, { organisationId: caller.organisationId, side, ...buildDatedFilter(filter) }, query);

/** @throws AppError 404 if the company has no such customer or vendor */
export async function requireParty(caller: BusinessCaller, side: LedgerSide, id: number): Promise<void> {
  if ((await findParty(caller, side, id)) === null) throw notFoundError(side === 'receivable' ? 'customer' : 'vendor');
}

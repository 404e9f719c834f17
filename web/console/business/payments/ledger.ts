import { business, businessQuery } from '../../../shared/api/business';
import type { NumberedPage } from '../records/record-list';

/** A filter of the API accepts several values. */
const toFilter = (id: number | undefined): number[] | undefined => (id === undefined ? undefined : [id]);

export type Side = 'receivable' | 'payable';

type Options = { signal: AbortSignal };

/** An open document of a customer or vendor. */
export interface OpenItem {
  id: number;
  documentType: string;
  number: string;
  partyId: number;
  partyName: string;
  date: string;
  dueDate: string;
  state: 'open' | 'settled' | 'void';
  currencyCode: string;
  amount: number;
  open: number;
  overdue: boolean;
}

interface PartyNames {
  customerId?: number;
  customerName?: string;
  vendorId?: number;
  vendorName?: string;
}

/** Names of the party are different on both sides of the ledger. */
export function readParty<T extends PartyNames>(record: T): T & { partyId: number; partyName: string } {
  return {
    ...record,
    partyId: record.customerId ?? record.vendorId ?? 0,
    partyName: record.customerName ?? record.vendorName ?? '',
  };
}

const withParties = <T extends PartyNames>({ data, ...page }: NumberedPage<T>) => ({
  ...page,
  data: data.map(readParty),
});

/** Documents from which the user chooses those that a payment or credit settles: as many as the API lists at once. */
export const CHOICE = {
  page: 1,
  pageSize: 100,
  state: ['open' as const],
  sortBy: 'dueDate' as const,
  sortDir: 'asc' as const,
};

export interface ItemQuery {
  page: number;
  pageSize?: number;
  search?: string | undefined;
  sortBy?: 'date' | 'dueDate' | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
  state?: ('open' | 'settled' | 'void' | 'overdue' | 'all')[] | undefined;
}

/** The documents of one side of the ledger. */
export const listItems = async (
  side: Side,
  query: ItemQuery,
  partyId: number | undefined,
  options: Options,
): Promise<NumberedPage<OpenItem>> =>
  side === 'receivable'
    ? withParties(await business.listReceivables({ ...query, customerId: toFilter(partyId) }, options))
    : withParties(await business.listPayables({ ...query, vendorId: toFilter(partyId) }, options));

/** A payment or refund in a list. */
export interface PaymentSummary {
  id: number;
  type: 'payment' | 'refund';
  status: 'posted' | 'void';
  partyId: number;
  partyName: string;
  date: string;
  amount: number;
  currencyCode: string;
  method: 'bank_transfer' | 'cash' | 'card' | 'check' | 'direct_debit' | 'other';
  reference: string | null;
}

export interface PaymentsQuery {
  page: number;
  search?: string | undefined;
  sortBy?: 'date' | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
}

/** The payments of one side of the ledger. */
export const listPayments = async (
  side: Side,
  query: PaymentsQuery,
  partyId: number | undefined,
  options: Options,
): Promise<NumberedPage<PaymentSummary>> =>
  side === 'receivable'
    ? withParties(await business.listReceivablePayments({ ...query, customerId: toFilter(partyId) }, options))
    : withParties(await business.listPayablePayments({ ...query, vendorId: toFilter(partyId) }, options));

/** The query of the aging report of a day; undefined is today in the time zone of the company. */
export const agingQuery = (side: Side, asOf: string | undefined) =>
  businessQuery(side === 'receivable' ? 'getReceivableAging' : 'getPayableAging', [asOf], async (options: Options) => {
    const query = asOf === undefined ? {} : { asOf };
    const { data } =
      side === 'receivable'
        ? await business.getReceivableAging(query, options)
        : await business.getPayableAging(query, options);
    return { ...data, rows: data.rows.map((row) => readParty<PartyNames & typeof row>(row)) };
  });

/** Where the page of a document is; null for one without a page. */
export function documentPath(side: Side, { id, documentType }: Pick<OpenItem, 'id' | 'documentType'>): string {
  return side === 'receivable' && documentType === 'invoice' ? `/invoices/${id}` : `/bills/${id}`;
}

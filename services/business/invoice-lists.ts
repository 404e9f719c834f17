import type { InvoiceStatus } from '../../domain/business/invoice';
import { notFound } from '../../domain/errors';
import { Invoice } from '../../models/business/invoice';
import type { InvoiceRecord } from '../../models/business/invoice';
import type { BusinessCaller } from './caller';
import { countFromRows } from './document-counts';
import { daysOf, readPage } from './lists';
import type { ListPage, ListQuery } from './lists';

/** Name of the list among the count rows. */
export const INVOICE_LIST = 'invoices';

/** @throws AppError 404, also for another organisation's id. */
export async function getInvoice(caller: BusinessCaller, id: number): Promise<InvoiceRecord> {
  const record = await Invoice.findOne({ organisationId: caller.organisationId, id }).lean<InvoiceRecord>();
  if (record === null) throw notFound('invoice');
  return record;
}

export interface InvoiceFilter {
  status?: InvoiceStatus | undefined;
  customerId?: number | undefined;
  /** Inclusive issue dates, `YYYY-MM-DD`. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Fields a list of invoices can be sorted by; each has an index. */
export const INVOICE_SORT_FIELDS = ['id', 'issueDate', 'dueDate', 'number', 'grandTotal'] as const;

/** One page of invoices with the exact total. */
export async function listInvoices(
  caller: BusinessCaller,
  filter: InvoiceFilter,
  query: ListQuery,
): Promise<ListPage<InvoiceRecord>> {
  const { organisationId } = caller;
  const { status, customerId, from, to } = filter;
  const issueDate = daysOf({ from, to });
  const base = {
    organisationId,
    ...(status === undefined ? {} : { status }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(issueDate === null ? {} : { issueDate }),
  };
  const fromRows = customerId === undefined;
  return readPage(
    Invoice,
    base,
    query,
    fromRows
      ? (session) => countFromRows({ organisationId, list: INVOICE_LIST, status, from, to }, session)
      : undefined,
  );
}

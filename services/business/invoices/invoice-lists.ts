import { STATUSES_WITH_AMOUNT_DUE } from '../../../domain/business/invoices/invoice';
import type { InvoiceStatusFilter } from '../../../domain/business/invoices/invoice';
import { conflictError, notFoundError } from '../../../domain/errors';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord, InvoiceRow, StoredInvoice } from '../../../models/business/invoices/invoice';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { countFromRows, findDayAfter } from '../documents/document-counts';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery, ListSums } from '../records/lists';

/** Name of the list in the count rows. */
export const INVOICE_LIST = 'invoices';

/** Finds an invoice or a draft; null also for an id of another organisation. */
export async function findInvoice(
  { organisationId }: Pick<BusinessCaller, 'organisationId'>,
  id: number,
  unit?: UnitOfWork,
): Promise<StoredInvoice | null> {
  return Invoice.findOne({ organisationId, id })
    .session(unit?.mongoSession ?? null)
    .lean<StoredInvoice>();
}

/** Returns an invoice or a draft. @throws AppError 404, also for an id of another organisation. */
export async function getInvoice(caller: BusinessCaller, id: number, unit?: UnitOfWork): Promise<StoredInvoice> {
  const record = await findInvoice(caller, id, unit);
  if (record === null) throw notFoundError('invoice');
  return record;
}

/** The error for an operation that requires an issued invoice; lists the routes that apply to a draft. */
export const notIssuedError = (message: string, ...routes: string[]) =>
  conflictError('invoice_not_issued', message, { status: 'draft', routes });

/** @throws AppError 404; 409 `invoice_not_issued` */
export async function getIssuedInvoice(caller: BusinessCaller, id: number): Promise<InvoiceRecord> {
  const record = await getInvoice(caller, id);
  if (record.status === 'draft') throw notIssuedError('The invoice is a draft.', 'POST /api/invoices/:id/issue');
  return record;
}

export interface InvoiceFilter {
  /** @default all */
  status?: readonly InvoiceStatusFilter[] | undefined;
  customerId?: readonly number[] | undefined;
  /** Inclusive issue dates, `YYYY-MM-DD`. */
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * The condition of a filter by status. `overdue` means an open amount after the due date.
 * @param today `YYYY-MM-DD`
 */
export function buildInvoiceStatusCondition(filters: readonly InvoiceStatusFilter[], today: string): object {
  const statuses = filters.filter((filter) => filter !== 'overdue');
  const status = buildChoiceCondition(statuses);
  // What is overdue has one of the open statuses.
  if (!filters.includes('overdue') || STATUSES_WITH_AMOUNT_DUE.every((open) => statuses.includes(open)))
    return { status };
  const overdue = { status: { $in: [...STATUSES_WITH_AMOUNT_DUE] }, dueDate: { $lt: today } };
  return statuses.length === 0 ? overdue : { $or: [{ status }, overdue] };
}

/** Sort fields of the invoice list; each has an index. */
export const INVOICE_SORT_FIELDS = ['id', 'issueDate', 'dueDate', 'number', 'grandTotal'] as const;

/** Returns one page of invoices with the exact total. @param today `YYYY-MM-DD`, for overdue invoices */
export async function listInvoices(
  caller: BusinessCaller,
  filter: InvoiceFilter,
  query: ListQuery,
  today: string,
): Promise<ListPage<StoredInvoice>> {
  const { organisationId } = caller;
  const { status, customerId, from, to } = filter;
  const issueDate = buildDayRange({ from, to });
  const base = {
    organisationId,
    ...(status === undefined ? {} : buildInvoiceStatusCondition(status, today)),
    ...(customerId === undefined ? {} : { customerId: buildChoiceCondition(customerId) }),
    ...(issueDate === null ? {} : { issueDate }),
  };
  const countFilter = { organisationId, list: INVOICE_LIST, statuses: status, from, to };
  const sums: ListSums = {
    by: 'issueDate',
    total: (mongoSession) => countFromRows(countFilter, mongoSession),
    dayAfter: (skip, step, mongoSession) => findDayAfter(countFilter, skip, step, mongoSession),
  };
  const isCounted = customerId === undefined && status?.includes('overdue') !== true;
  return readPage<InvoiceRow, StoredInvoice>(Invoice, base, query, isCounted ? sums : undefined);
}

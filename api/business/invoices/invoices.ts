import { z } from 'zod';
import { INVOICE_STATUS_FILTERS } from '../../../domain/business/invoices/invoice';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getCompanyToday } from '../../../services/business/settings/company';
import { createDraft, dryRunDraft } from '../../../services/business/invoices/drafts';
import { getInvoice, INVOICE_SORT_FIELDS, listInvoices } from '../../../services/business/invoices/invoice-lists';
import { createInvoice, dryRunInvoice } from '../../../services/business/invoices/invoices';
import { findOrderOfInvoice } from '../../../services/business/orders/sales-orders';
import { findOutstanding } from '../../../services/business/payments/open-items';
import type { Outstanding } from '../../../services/business/payments/open-items';
import type { StoredInvoice } from '../../../models/business/invoices/invoice';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { dryRunQuery, idPath } from '../fields';
import {
  exampleInvoice,
  exampleInvoiceSummary,
  presentInvoice,
  presentInvoiceSummary,
  invoiceSummarySchema,
  invoiceSchema,
  presentInvoiceDryRun,
  invoiceDryRunSchema,
} from './invoice-responses';
import { toInvoiceInput, invoiceInput } from './invoice-input';
import {
  parseCalendarFilter,
  buildListResponse,
  choicesParameter,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdsParameter,
} from '../listing';
import { buildEtagHeader } from '../revisions';

const invoiceReply = { schema: z.object({ data: invoiceSchema }), example: { data: exampleInvoice } };

/** Builds the detail with its outstanding amount, which is read unless known, and the ETag of both. */
export async function loadInvoiceDetail(
  context: RouteContext,
  caller: BusinessCaller,
  record: StoredInvoice,
  knownOutstanding?: Outstanding,
) {
  const outstanding = knownOutstanding ?? (await findOutstanding(caller.organisationId, [record.id])).get(record.id);
  return {
    data: presentInvoice(record, outstanding, getCompanyToday(context.platform, caller)),
    headers: buildEtagHeader(record.version, outstanding?.version ?? 0),
  };
}

const list = defineRoute({
  method: 'get',
  path: '/api/invoices',
  operationId: 'listInvoices',
  summary: 'List invoices',
  description:
    '`dateFrom` and `dateTo` filter the issue date; for a draft, the date it would have. By default, newest first. `status=overdue` selects open amounts after the due date.',
  tag: 'Invoicing',
  permission: 'invoices:read',
  query: z.strictObject({
    ...listParameters(INVOICE_SORT_FIELDS),
    status: choicesParameter(INVOICE_STATUS_FILTERS),
    customerId: recordIdsParameter('a customer'),
  }),
  replies: {
    200: {
      description: 'A page of invoices and the exact total.',
      schema: buildListSchema(invoiceSummarySchema),
      example: { data: [exampleInvoiceSummary], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'issueDate', dir: 'desc' });
    const filter = { status: query.status, customerId: query.customerId, ...parseCalendarFilter(query, timeZone) };
    const day = getCompanyToday(context.platform, caller);
    const { rows, totalCount } = await listInvoices(caller, filter, listRequest, day);
    const outstanding = await findOutstanding(
      caller.organisationId,
      rows.map((row) => row.id),
    );
    const items = rows.map((row) => presentInvoiceSummary(row, outstanding.get(row.id), day));
    return { status: 200, body: serializeResponse(buildListResponse(items, totalCount, listRequest), timeZone) };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/invoices/:id',
  operationId: 'getInvoice',
  summary: 'Invoice detail',
  tag: 'Invoicing',
  permission: 'invoices:read',
  params: idPath,
  replies: { 200: { description: 'The invoice.', ...invoiceReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const [record, salesOrder] = await Promise.all([
      getInvoice(caller, params.id),
      findOrderOfInvoice(caller, params.id),
    ]);
    const { data, headers } = await loadInvoiceDetail(context, caller, record);
    return {
      status: 200,
      headers,
      body: serializeResponse({ data: { ...data, salesOrder } }, caller.company.timeZone),
    };
  },
});

const formatCreatedMessage = ({ id, number }: StoredInvoice): string =>
  number === null ? `Draft ${id} created.` : `Invoice ${number} created.`;

const create = defineRoute({
  method: 'post',
  path: '/api/invoices',
  operationId: 'createInvoice',
  summary: 'Create an invoice',
  description:
    'Issues the invoice: number, tax, stock and receivable in one transaction. All additional fields are optional. `draft: true` stores a draft instead.',
  tag: 'Invoicing',
  permission: 'invoices:create',
  idempotent: true,
  query: dryRunQuery,
  body: invoiceInput,
  bodyExample: {
    customerId: 1,
    paymentTerms: 'NET30',
    currencyCode: 'EUR',
    lines: [{ productId: 1, quantity: 15, unitPrice: 6.36 }],
    notes: 'Thank you for your order.',
  },
  replies: {
    201: {
      description: 'The issued invoice, or the draft.',
      schema: z.object({ data: invoiceSchema, message: z.string() }),
      example: { data: exampleInvoice, message: 'Invoice INV-2026-000001 created.' },
    },
    200: {
      description: 'Dry run: the computed invoice without a number; nothing is written.',
      schema: z.object({ data: invoiceDryRunSchema, message: z.string() }),
    },
  },
  errors: {
    409: 'Not enough stock (`insufficient_stock`), credit limit (`credit_limit_exceeded`), locked period (`period_locked`), issue date before the series’ latest (`issue_date_before_latest`) or in a closed year (`series_year_closed`).',
  },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = toInvoiceInput(body, timeZone);
    const isDraft = body.draft === true;
    if (query.dryRun === 'true') {
      const dryRun = isDraft ? dryRunDraft : dryRunInvoice;
      const { document, lineWarehouses } = await dryRun(context.platform, caller, input);
      const data = presentInvoiceDryRun(document, lineWarehouses);
      const message = 'The invoice can be created; nothing was written.';
      return { status: 200, body: serializeResponse({ data, message }, timeZone) };
    }
    const { idempotency, platform } = context;
    const { record, outstanding }: { record: StoredInvoice; outstanding?: Outstanding } = isDraft
      ? { record: await createDraft(platform, caller, input, idempotency) }
      : await createInvoice(platform, caller, input, idempotency);
    const { data, headers } = await loadInvoiceDetail(context, caller, record, outstanding);
    return {
      status: 201,
      headers: { ...headers, Location: `/api/invoices/${record.id}` },
      body: serializeResponse({ data, message: formatCreatedMessage(record) }, timeZone),
    };
  },
});

export const invoiceRoutes: readonly Route[] = [list, detail, create];

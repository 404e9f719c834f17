import { z } from 'zod';
import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { companyToday } from '../../../services/business/settings/company';
import { createDraft, trialDraft } from '../../../services/business/invoices/drafts';
import { getInvoice, INVOICE_SORT_FIELDS, listInvoices } from '../../../services/business/invoices/invoice-lists';
import { createInvoice, trialInvoice } from '../../../services/business/invoices/invoices';
import { outstandingOf } from '../../../services/business/payments/open-items';
import type { Outstanding } from '../../../services/business/payments/open-items';
import type { StoredInvoice } from '../../../models/business/invoices/invoice';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { dryRunQuery, idPath } from '../fields';
import {
  exampleInvoice,
  exampleItem,
  invoiceDetail,
  invoiceItem,
  invoiceItemShape,
  invoiceShape,
  trialAnswer,
  trialShape,
} from './invoice-responses';
import { inputOf, invoiceInput } from './invoice-input';
import { calendarFilter, listAnswer, listParameters, listQuery, listShape, numberParameter } from '../listing';
import { etag } from '../revisions';

const one = { schema: z.object({ data: invoiceShape }), example: { data: exampleInvoice } };

/** The detail with what is still open of it, read unless it is known, and the ETag over both. */
export async function detailedInvoice(
  context: RouteContext,
  caller: BusinessCaller,
  record: StoredInvoice,
  known?: Outstanding,
) {
  const outstanding = known ?? (await outstandingOf(caller.organisationId, [record.id])).get(record.id);
  return {
    data: invoiceDetail(record, outstanding, companyToday(context.platform, caller)),
    headers: etag(record.version, outstanding?.version ?? 0),
  };
}

const list = defineRoute({
  method: 'get',
  path: '/api/invoices',
  operationId: 'listInvoices',
  summary: 'List invoices',
  description:
    'dateFrom and dateTo filter the issue date, of a draft the one it would have. Newest first unless sorted otherwise.',
  tag: 'Invoicing',
  permission: 'invoices:read',
  query: z.strictObject({
    ...listParameters(INVOICE_SORT_FIELDS),
    status: z
      .enum(INVOICE_STATUSES, { error: `must be one of ${INVOICE_STATUSES.join(', ')}` })
      .optional()
      .meta({ 'x-addition': true }),
    customerId: numberParameter('a customer'),
  }),
  replies: {
    200: {
      description: 'A page of invoices and the exact total.',
      schema: listShape(invoiceItemShape),
      example: { data: [exampleItem], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'issueDate', dir: 'desc' });
    const filter = { status: query.status, customerId: query.customerId, ...calendarFilter(query, timeZone) };
    const { rows, totalCount } = await listInvoices(caller, filter, asked);
    const outstanding = await outstandingOf(
      caller.organisationId,
      rows.map((row) => row.id),
    );
    const day = companyToday(context.platform, caller);
    const items = rows.map((row) => invoiceItem(row, outstanding.get(row.id), day));
    return { status: 200, body: answer(listAnswer(items, totalCount, asked), timeZone) };
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
  replies: { 200: { description: 'The invoice.', ...one } },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    const { data, headers } = await detailedInvoice(context, caller, await getInvoice(caller, params.id));
    return { status: 200, headers, body: answer({ data }, caller.company.timeZone) };
  },
});

const createdMessage = ({ id, number }: StoredInvoice): string =>
  number === null ? `Draft ${id} created.` : `Invoice ${number} created.`;

const create = defineRoute({
  method: 'post',
  path: '/api/invoices',
  operationId: 'createInvoice',
  summary: 'Create an invoice',
  description:
    'Issues the invoice: number, tax, stock and receivable in one transaction. The body of the contract alone suffices. `draft: true` keeps a draft instead.',
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
      description: 'The invoice, issued; or the draft.',
      schema: z.object({ data: invoiceShape, message: z.string() }),
      example: { data: exampleInvoice, message: 'Invoice INV-2026-000001 created.' },
    },
    200: {
      description: 'A dry run: everything computed, nothing written, no number.',
      schema: z.object({ data: trialShape, message: z.string() }),
    },
  },
  errors: {
    409: 'Not enough stock (`insufficient_stock`), credit limit (`credit_limit_exceeded`), locked period (`period_locked`), issue date before the series’ latest (`issue_date_before_latest`) or in a closed year (`series_year_closed`).',
  },
  async handle(context, { body, query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const input = inputOf(body, timeZone);
    const keep = body.draft === true;
    if (query.dryRun === 'true') {
      const trial = keep ? trialDraft : trialInvoice;
      const { document, lineWarehouses } = await trial(context.platform, caller, input);
      const data = trialAnswer(document, lineWarehouses);
      const message = 'The invoice can be created; nothing was written.';
      return { status: 200, body: answer({ data, message }, timeZone) };
    }
    const { idempotency, platform } = context;
    const { record, outstanding }: { record: StoredInvoice; outstanding?: Outstanding } = keep
      ? { record: await createDraft(platform, caller, input, idempotency) }
      : await createInvoice(platform, caller, input, idempotency);
    const { data, headers } = await detailedInvoice(context, caller, record, outstanding);
    return {
      status: 201,
      headers: { ...headers, Location: `/api/invoices/${record.id}` },
      body: answer({ data, message: createdMessage(record) }, timeZone),
    };
  },
});

export const invoiceRoutes: readonly Route[] = [list, detail, create];

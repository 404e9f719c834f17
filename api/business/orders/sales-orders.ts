import { z } from 'zod';
import { SALES_ORDER_STATUSES } from '../../../domain/business/orders/sales-orders';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import { invoiceSalesOrder } from '../../../services/business/orders/sales-order-invoicing';
import {
  cancelSalesOrder,
  confirmSalesOrder,
  createSalesOrder,
  getSalesOrder,
  listSalesOrders,
  SALES_ORDER_SORT_FIELDS,
} from '../../../services/business/orders/sales-orders';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { currencyCode, idPath, line, parseCalendarField, recordId } from '../fields';
import { invoiceHeadInput, toInvoiceHead } from '../invoices/invoice-input';
import {
  buildListResponse,
  buildListSchema,
  choicesParameter,
  listParameters,
  parseCalendarFilter,
  recordIdsParameter,
  toListRequest,
} from '../listing';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { serializeResponse } from '../serialization';
import { buildOrderLinesSchema } from '../order-lines';
import { MAX_SALES_ORDER_LINES, orderDate, orderLineFields, orderTexts } from './sales-order-input';
import {
  exampleSalesOrder,
  presentSalesOrder,
  presentSalesOrderSummary,
  salesOrderSchema,
  salesOrderSummarySchema,
} from './sales-order-responses';

const TAG = 'Sales orders';
/** Who keeps the stock picks the goods of orders, without access to invoices. */
const PICKING_PERMISSIONS = ['inventory:adjust'] as const;
const orderReply = (description: string) => ({
  description,
  schema: z.object({ data: salesOrderSchema, message: z.string() }),
  example: { data: exampleSalesOrder, message: 'Sales order SO-000001 confirmed.' },
});

const respond = (order: SalesOrderRecord, done: string, timeZone: string) =>
  serializeResponse({ data: presentSalesOrder(order), message: `Sales order ${order.number} ${done}.` }, timeZone);

const list = defineRoute({
  method: 'get',
  path: '/api/sales-orders',
  operationId: 'listSalesOrders',
  summary: 'List sales orders',
  tag: TAG,
  addition: true,
  permission: 'invoices:read',
  alternativePermissions: PICKING_PERMISSIONS,
  query: z.strictObject({
    ...listParameters(SALES_ORDER_SORT_FIELDS),
    status: choicesParameter(SALES_ORDER_STATUSES),
    customerId: recordIdsParameter('a customer'),
  }),
  replies: {
    200: {
      description: 'A page of orders and the exact total.',
      schema: buildListSchema(salesOrderSummarySchema),
      example: { data: [salesOrderSummarySchema.parse(exampleSalesOrder)], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const request = toListRequest(query, { by: 'orderDate', dir: 'desc' });
    const filter = { status: query.status, customerId: query.customerId, ...parseCalendarFilter(query, timeZone) };
    const { rows, totalCount } = await listSalesOrders(caller, filter, request);
    const body = buildListResponse(rows.map(presentSalesOrderSummary), totalCount, request);
    return { status: 200, body: serializeResponse(body, timeZone) };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/sales-orders/:id',
  operationId: 'getSalesOrder',
  summary: 'Sales order detail',
  tag: TAG,
  addition: true,
  permission: 'invoices:read',
  alternativePermissions: PICKING_PERMISSIONS,
  params: idPath,
  replies: {
    200: {
      description: 'The order.',
      schema: z.object({ data: salesOrderSchema }),
      example: { data: exampleSalesOrder },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const order = await getSalesOrder(caller, params.id);
    const body = serializeResponse({ data: presentSalesOrder(order) }, caller.company.timeZone);
    return { status: 200, headers: buildEtagHeader(order.version), body };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/sales-orders',
  operationId: 'createSalesOrder',
  summary: 'Create a sales order',
  description: 'Creates a draft, which reserves nothing. Prices, rates and totals are computed as those of an invoice.',
  tag: TAG,
  addition: true,
  permission: 'invoices:create',
  idempotent: true,
  body: z.strictObject({
    customerId: recordId,
    orderDate,
    currencyCode: currencyCode
      .optional()
      .meta({ description: 'ISO 4217 code. Default: the currency of the customer, else of the company.' }),
    ...orderTexts,
    lines: buildOrderLinesSchema(z.strictObject(orderLineFields), MAX_SALES_ORDER_LINES),
  }),
  bodyExample: { customerId: 1, reference: 'PO 4711', lines: [{ productId: 1, quantity: 2 }] },
  replies: { 201: orderReply('The draft.') },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = {
      ...body,
      orderDate: parseCalendarField('orderDate', body.orderDate, timeZone),
      reference: body.reference ?? undefined,
      notes: body.notes ?? undefined,
    };
    const order = await createSalesOrder(buildRequest(context, caller), input);
    return {
      status: 201,
      headers: { ...buildEtagHeader(order.version), Location: `/api/sales-orders/${order.id}` },
      body: respond(order, 'created', timeZone),
    };
  },
});

const confirm = defineRoute({
  method: 'post',
  path: '/api/sales-orders/:id/confirm',
  operationId: 'confirmSalesOrder',
  summary: 'Confirm an order and reserve its goods',
  description:
    'Reserves the goods of all lines or of none. Reserved goods stay on hand, and only the invoice of the order can issue them. The open balance of the customer and the order must be within the credit limit, at the exchange rate of today; other orders do not count. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'invoices:update',
  idempotent: true,
  params: idPath,
  replies: { 200: orderReply('The confirmed order.') },
  errors: {
    409: 'Less is available than was ordered (`insufficient_stock`, with the available quantities), the customer would exceed the credit limit (`credit_limit_exceeded`), the order is not a draft (`invalid_transition`), or the Idempotency-Key is in use.',
    412: VERSION_MISMATCH,
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const order = await confirmSalesOrder(buildRequest(context, caller), at);
    return { status: 200, body: respond(order, 'confirmed', caller.company.timeZone) };
  },
});

const cancel = defineRoute({
  method: 'post',
  path: '/api/sales-orders/:id/cancel',
  operationId: 'cancelSalesOrder',
  summary: 'Cancel an order and release its goods',
  description: 'Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'invoices:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({ reason: line(500) }),
  bodyExample: { reason: 'Ordered twice' },
  replies: { 200: orderReply('The cancelled order.') },
  errors: {
    409: 'The order has been invoiced or is cancelled (`invalid_transition`), or the Idempotency-Key is in use.',
    412: VERSION_MISMATCH,
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const order = await cancelSalesOrder(buildRequest(context, caller), at, body.reason);
    return { status: 200, body: respond(order, 'cancelled', caller.company.timeZone) };
  },
});

const invoice = defineRoute({
  method: 'post',
  path: '/api/sales-orders/:id/invoice',
  operationId: 'invoiceSalesOrder',
  summary: 'Issue the invoice of an order',
  description:
    'Issues an invoice at the prices and in the units of the order, releases its reservation and issues its goods, in one transaction. Reference and notes default to those of the order, the reference else to its number. Products and tax rates that became inactive after the order are invoiced, too.',
  tag: TAG,
  addition: true,
  permission: 'invoices:issue',
  idempotent: true,
  params: idPath,
  body: invoiceHeadInput,
  bodyExample: { deliveryDate: '2026-11-20', depositInvoiceIds: [4] },
  replies: { 200: orderReply('The order with the id and number of its invoice.') },
  errors: {
    409: 'The order is not confirmed (`invalid_transition`), or an invoice cannot be issued: `credit_limit_exceeded`, `period_locked`, `issue_date_before_latest`, `series_year_closed`.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const invoicing = toInvoiceHead(body, timeZone);
    const order = await invoiceSalesOrder(buildRequest(context, caller), params.id, invoicing);
    return { status: 200, body: respond(order, `invoiced as ${order.invoiceNumber}`, timeZone) };
  },
});

export const salesOrderRoutes: readonly Route[] = [list, detail, create, confirm, cancel, invoice];

import { z } from 'zod';
import { ORDER_STATUSES } from '../../../domain/business/purchasing/purchasing';
import {
  cancelOrder,
  createOrder,
  getOrder,
  listOrders,
  PURCHASE_ORDER_SORT_FIELDS,
  placeOrder,
  dryRunOrder,
} from '../../../services/business/purchasing/orders';
import { receiveOrder } from '../../../services/business/purchasing/receipts';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import {
  parseCalendarField,
  currencyCode,
  dryRunQuery,
  flag,
  idPath,
  line,
  paragraph,
  quantity,
  recordId,
  unitPrice,
  dayInput,
} from '../fields';
import {
  parseCalendarFilter,
  buildListResponse,
  choicesParameter,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdsParameter,
} from '../listing';
import { buildPostingDay } from '../payments/payments';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { payableSchema, presentPayable } from './payable-responses';
import { buildOrderLinesSchema } from '../order-lines';
import { MAX_PURCHASE_ORDER_LINES, orderLineFields } from './order-input';
import { presentOrderSummary, orderSummarySchema, orderSchema, presentNewOrder, presentOrder } from './order-responses';

const TAG = 'Purchase orders';

const list = defineRoute({
  method: 'get',
  path: '/api/purchase-orders',
  operationId: 'listPurchaseOrders',
  summary: 'List purchase orders',
  tag: TAG,
  permission: 'purchase-orders:read',
  query: z.strictObject({
    ...listParameters(PURCHASE_ORDER_SORT_FIELDS),
    status: choicesParameter(ORDER_STATUSES),
    vendorId: recordIdsParameter('a vendor'),
  }),
  replies: {
    200: { description: 'A page of orders and the exact total.', schema: buildListSchema(orderSummarySchema) },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'orderDate', dir: 'desc' });
    const filter = { status: query.status, vendorId: query.vendorId, ...parseCalendarFilter(query, timeZone) };
    const { rows, totalCount } = await listOrders(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentOrderSummary), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/purchase-orders/:id',
  operationId: 'getPurchaseOrder',
  summary: 'Purchase order detail',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:read',
  params: idPath,
  replies: { 200: { description: 'The order.', schema: z.object({ data: orderSchema }) } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const order = await getOrder(caller, params.id);
    const data = await presentOrder(order);
    return {
      status: 200,
      headers: buildEtagHeader(order.version),
      body: serializeResponse({ data }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/purchase-orders',
  operationId: 'createPurchaseOrder',
  summary: 'Create a purchase order',
  tag: TAG,
  permission: 'purchase-orders:create',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({
    vendorId: recordId,
    draft: flag.optional().meta({ description: 'Whether to create a draft, which is placed later.', default: false }),
    orderDate: dayInput
      .optional()
      .meta({ description: 'Date of the order. Default: today in the time zone of the company.' }),
    expectedDate: dayInput.optional(),
    currencyCode: currencyCode
      .optional()
      .meta({ description: 'ISO 4217 code. Default: the currency of the vendor, else of the company.' }),
    reference: line(100).nullable().optional(),
    notes: paragraph(2000).nullable().optional(),
    lines: buildOrderLinesSchema(z.strictObject(orderLineFields), MAX_PURCHASE_ORDER_LINES),
  }),
  bodyExample: { vendorId: 1, lines: [{ productId: 1, quantity: 10, unitCost: 4.2 }] },
  replies: {
    201: { description: 'The order.', schema: z.object({ data: orderSchema, message: z.string() }) },
    200: {
      description: 'Dry run: the order as it would be created, without an id.',
      schema: z.object({ data: orderSchema.extend({ id: z.null(), number: z.null() }) }),
    },
  },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = {
      ...body,
      orderDate: parseCalendarField('orderDate', body.orderDate, timeZone),
      expectedDate: parseCalendarField('expectedDate', body.expectedDate, timeZone),
      reference: body.reference ?? undefined,
      notes: body.notes ?? undefined,
    };
    if (query.dryRun === 'true') {
      const dryRun = await dryRunOrder(context.platform, caller, input);
      return {
        status: 200,
        body: serializeResponse({ data: { ...presentNewOrder(dryRun), id: null, number: null } }, timeZone),
      };
    }
    const order = await createOrder(context.platform, caller, input, context.idempotency);
    return {
      status: 201,
      headers: { ...buildEtagHeader(order.version), Location: `/api/purchase-orders/${order.id}` },
      body: serializeResponse(
        { data: presentNewOrder(order), message: `Purchase order ${order.number} created.` },
        timeZone,
      ),
    };
  },
});

const place = defineRoute({
  method: 'post',
  path: '/api/purchase-orders/:id/place',
  operationId: 'placePurchaseOrder',
  summary: 'Place a draft',
  description: 'A placed order cannot change any more. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:update',
  idempotent: true,
  params: idPath,
  replies: { 200: { description: 'The placed order.', schema: z.object({ data: orderSchema, message: z.string() }) } },
  errors: {
    409: 'The order is not a draft (`invalid_transition`), or the Idempotency-Key is in use.',
    412: VERSION_MISMATCH,
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const order = await placeOrder(context.platform, caller, at, context.idempotency);
    const message = `Purchase order ${order.number} placed.`;
    return { status: 200, body: serializeResponse({ data: presentNewOrder(order), message }, caller.company.timeZone) };
  },
});

const cancel = defineRoute({
  method: 'post',
  path: '/api/purchase-orders/:id/cancel',
  operationId: 'cancelPurchaseOrder',
  summary: 'Cancel an order or its remaining quantities',
  description: 'Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({ reason: line(500) }),
  bodyExample: { reason: 'Not available any more' },
  replies: {
    200: { description: 'The cancelled order.', schema: z.object({ data: orderSchema, message: z.string() }) },
  },
  errors: {
    409: 'The order has been received completely or is cancelled (`invalid_transition`), or the Idempotency-Key is in use.',
    412: VERSION_MISMATCH,
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const order = await cancelOrder(context.platform, caller, at, body.reason, context.idempotency);
    const data = await presentOrder(order);
    const message = `Purchase order ${order.number} cancelled.`;
    return { status: 200, body: serializeResponse({ data, message }, caller.company.timeZone) };
  },
});

const receive = defineRoute({
  method: 'post',
  path: '/api/purchase-orders/:id/receive',
  operationId: 'receivePurchaseOrder',
  summary: 'Register a receipt',
  description:
    'Receives goods into stock at their cost and creates an unbilled payable, which the bill of the vendor replaces later, in one transaction. Without `lines`, all remaining quantities are received. Goods that were returned to the vendor can be received again, also of an order that was received completely, and so can what the tolerance allows.',
  tag: TAG,
  permission: 'purchase-orders:receive',
  idempotent: true,
  params: idPath,
  body: z.strictObject({
    lines: buildOrderLinesSchema(
      z.strictObject({
        lineId: recordId,
        quantity,
        unitCost: unitPrice
          .optional()
          .meta({ type: 'number', description: 'Cost per unit. Default: the cost in the order.' }),
      }),
      MAX_PURCHASE_ORDER_LINES,
    ).optional(),
    date: buildPostingDay('the receipt', 'not before that of the order and not in the future'),
    reference: line(100)
      .nullable()
      .optional()
      .meta({ description: 'Reference, such as the number of the delivery note.' }),
  }),
  bodyExample: { lines: [{ lineId: 1, quantity: 4 }] },
  replies: {
    201: {
      description: 'The updated order and the payable.',
      schema: z.object({ data: z.object({ order: orderSchema, receipt: payableSchema }), message: z.string() }),
    },
  },
  errors: {
    409: 'The receipt exceeds the ordered quantity and its tolerance (`over_receipt`), the order is a draft, cancelled or received without anything left to receive (`invalid_transition`), or the period is locked (`period_locked`).',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = {
      lines: body.lines,
      date: parseCalendarField('date', body.date, timeZone),
      reference: body.reference ?? undefined,
    };
    const { order, receipt } = await receiveOrder(buildRequest(context, caller), params.id, input);
    const data = { order: await presentOrder(order), receipt: presentPayable(receipt) };
    return { status: 201, body: serializeResponse({ data, message: `Receipt ${receipt.number} posted.` }, timeZone) };
  },
});

export const purchaseOrderRoutes: readonly Route[] = [list, detail, create, place, cancel, receive];

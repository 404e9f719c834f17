import { z } from 'zod';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import {
  createVendorReturn,
  getVendorReturn,
  listVendorReturns,
  VENDOR_RETURN_SORT_FIELDS,
} from '../../../services/business/purchasing/vendor-returns';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { day, idPath, instant, line, parseCalendarField, quantity, recordId, unitPrice } from '../fields';
import {
  buildListResponse,
  buildListSchema,
  listParameters,
  parseCalendarFilter,
  recordIdsParameter,
  toListRequest,
} from '../listing';
import { buildPostingDay } from '../payments/payments';
import { serializeResponse } from '../serialization';

const TAG = 'Purchase orders';

const returnSchema = z.object({
  id: z.number().int(),
  number: z.string(),
  receiptId: z.number().int(),
  receiptNumber: z.string(),
  vendorId: z.number().int(),
  vendorName: z.string(),
  date: day,
  currencyCode: z.string(),
  exchangeRate: z.number(),
  reason: z.string(),
  lines: z.array(
    z.object({
      lineId: z.number().int().meta({ description: 'The line of the receipt.' }),
      productId: z.number().int(),
      description: z.string(),
      warehouseId: z.number().int(),
      quantity: z.number(),
      unitCost: z.number(),
      taxRateId: z.number().int(),
      net: z.number(),
      tax: z.number(),
      cost: z.number().meta({ description: 'Value that left stock, in the base currency.' }),
    }),
  ),
  total: z.number().meta({ description: 'What the vendor credits, before tax.' }),
  taxTotal: z.number(),
  grandTotal: z.number(),
  cost: z.number().meta({ description: 'Value of the goods that left stock, in the base currency.' }),
  creditNoteId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the credit note in the payables; null if the unbilled payable was reduced.' }),
  createdAt: instant,
});

const present = (record: VendorReturnRecord) => ({
  id: record.id,
  number: record.number,
  receiptId: record.receiptId,
  receiptNumber: record.receiptNumber,
  vendorId: record.vendorId,
  vendorName: record.vendorName,
  date: record.date,
  currencyCode: record.currencyCode,
  exchangeRate: record.exchangeRate,
  reason: record.reason,
  lines: record.lines.map((each) => ({
    lineId: each.lineId,
    productId: each.productId,
    description: each.description,
    warehouseId: each.warehouseId,
    quantity: each.quantity,
    unitCost: each.unitCost,
    taxRateId: each.taxRateId,
    net: each.net,
    tax: each.tax,
    cost: each.cost,
  })),
  total: record.total,
  taxTotal: record.taxTotal,
  grandTotal: record.grandTotal,
  cost: record.cost,
  creditNoteId: record.creditNoteId,
  createdAt: record.createdAt,
});

const exampleReturn = {
  id: 1,
  number: 'RT-000001',
  receiptId: 1,
  receiptNumber: 'GR-000001',
  vendorId: 1,
  vendorName: 'Lamp Works Ltd',
  date: '2026-11-21',
  currencyCode: 'EUR',
  exchangeRate: 1,
  reason: 'Broken glass',
  lines: [
    {
      lineId: 1,
      productId: 1,
      description: 'Desk lamp',
      warehouseId: 1,
      quantity: 2,
      unitCost: 4.2,
      taxRateId: 1,
      net: 8.4,
      tax: 1.6,
      cost: 8.4,
    },
  ],
  total: 8.4,
  taxTotal: 1.6,
  grandTotal: 10,
  cost: 8.4,
  creditNoteId: 3,
  createdAt: '2026-11-21T10:12:00.000+01:00',
};

const linesInput = z
  .array(
    z.strictObject({
      lineId: recordId.meta({ description: 'The line of the receipt.' }),
      quantity,
      unitCost: unitPrice.optional().meta({
        type: 'number',
        description:
          'Credited cost per unit before tax, of a receipt that has been billed. Default: that of the bill, if it charges the product at one cost and in the quantity that was received and not returned before; else that of the receipt.',
      }),
      warehouseId: recordId
        .optional()
        .meta({ description: 'The warehouse that the goods leave. Default: the one that received them.' }),
    }),
    { error: 'must be an array' },
  )
  .min(1, 'must have at least 1 line')
  .max(1000, 'must have at most 1000 lines');

const create = defineRoute({
  method: 'post',
  path: '/api/vendor-returns',
  operationId: 'createVendorReturn',
  summary: 'Return goods to a vendor',
  description:
    'Returns goods of a receipt, at most what was received and not returned yet; without `lines`, all that is left. The goods leave stock at their moving average cost. Before the bill of the receipt, its unbilled payable is reduced; afterwards a credit note is posted at the exchange rate of the bill, which first reduces the bill, and input tax with it. A difference between the credit and the value in stock is a purchase difference. A `unitCost` that is neither that of the receipt nor that of its bill decides what is payable, which needs the permission `payables:create`, too.',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:receive',
  idempotent: true,
  body: z.strictObject({
    receiptId: recordId,
    date: buildPostingDay('the return', 'not before that of the receipt and not in the future'),
    reason: line(500),
    creditNoteNumber: line(60).optional().meta({
      description:
        'Number of the vendor’s credit note, for a receipt that has been billed; unique per vendor. Default: the number of the return.',
    }),
    lines: linesInput.optional(),
  }),
  bodyExample: { receiptId: 1, reason: 'Broken glass', lines: [{ lineId: 1, quantity: 2 }] },
  replies: {
    201: {
      description: 'The return.',
      schema: z.object({ data: returnSchema, message: z.string() }),
      example: { data: exampleReturn, message: 'Return RT-000001 posted.' },
    },
  },
  errors: {
    409: 'More is returned than was received (`over_return`) or than is available in stock (`insufficient_stock`), the unbilled receipt has been paid (`receipt_settled`), more would be credited than the bill less its credit notes and write-offs (`credit_exceeds_bill`, with `left`, or with `writeOffIds` to void before), the credit note number exists (`number_taken`), or the period is locked (`period_locked`).',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = { ...body, date: parseCalendarField('date', body.date, timeZone) };
    const record = await createVendorReturn(buildRequest(context, caller), input);
    const message = `Return ${record.number} posted.`;
    return {
      status: 201,
      headers: { Location: `/api/vendor-returns/${record.id}` },
      body: serializeResponse({ data: present(record), message }, timeZone),
    };
  },
});

const { page, pageSize, sortBy, sortDir, dateFrom, dateTo } = listParameters(VENDOR_RETURN_SORT_FIELDS);

const list = defineRoute({
  method: 'get',
  path: '/api/vendor-returns',
  operationId: 'listVendorReturns',
  summary: 'List returns to vendors',
  description: '`dateFrom` and `dateTo` filter by the date of the return.',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:read',
  query: z.strictObject({
    page,
    pageSize,
    sortBy,
    sortDir,
    dateFrom,
    dateTo,
    vendorId: recordIdsParameter('a vendor'),
    receiptId: recordIdsParameter('a receipt'),
  }),
  replies: {
    200: {
      description: 'A page of returns and the exact total.',
      schema: buildListSchema(returnSchema),
      example: { data: [exampleReturn], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const request = toListRequest(query, { by: 'id', dir: 'desc' });
    const { vendorId, receiptId } = query;
    const filter = { vendorId, receiptId, ...parseCalendarFilter(query, timeZone) };
    const { rows, totalCount } = await listVendorReturns(caller, filter, request);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(present), totalCount, request), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/vendor-returns/:id',
  operationId: 'getVendorReturn',
  summary: 'Return detail',
  tag: TAG,
  addition: true,
  permission: 'purchase-orders:read',
  params: idPath,
  replies: {
    200: { description: 'The return.', schema: z.object({ data: returnSchema }), example: { data: exampleReturn } },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = present(await getVendorReturn(caller, params.id));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const vendorReturnRoutes: readonly Route[] = [create, list, detail];

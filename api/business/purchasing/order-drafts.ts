import { z } from 'zod';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getOrder, updatePurchaseOrder } from '../../../services/business/purchasing/orders';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import {
  parseCalendarField,
  currencyCode,
  dayInput,
  idPath,
  line,
  paragraph,
  recordId,
  readOnlyField,
} from '../fields';
import { buildEtagHeader, parseIfMatch, stripReadOnlyLineFields, stripReadOnlyFields } from '../revisions';
import { orderSchema, presentOrder } from './order-responses';
import type { PresentedOrder } from './order-responses';
import { buildOrderLinesSchema } from '../order-lines';
import { MAX_PURCHASE_ORDER_LINES, orderLineFields } from './order-input';

const READ_ONLY = [
  'id',
  'number',
  'status',
  'vendorName',
  'total',
  'taxTotal',
  'grandTotal',
  'cancelReason',
  'createdAt',
  'updatedAt',
] as const;

/** The read-only fields of a line. Lines are renumbered. */
const LINE_READ_ONLY = ['productCode', 'unit', 'received', 'returned'] as const;

const draftLineInput = z.strictObject({
  ...orderLineFields,
  description: orderLineFields.description.nullable(),
  taxRateId: orderLineFields.taxRateId.nullable(),
  warehouseId: orderLineFields.warehouseId.nullable(),
  lineId: recordId.optional().meta({ description: 'Id of an existing line of the draft; absent for a new line.' }),
  productCode: readOnlyField,
  unit: readOnlyField,
  received: readOnlyField,
  returned: readOnlyField,
});

const draftChangesInput = z.strictObject({
  vendorId: recordId.optional(),
  orderDate: dayInput.nullable().optional(),
  expectedDate: dayInput.nullable().optional(),
  currencyCode: currencyCode.nullable().optional(),
  reference: line(100).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
  lines: buildOrderLinesSchema(draftLineInput, MAX_PURCHASE_ORDER_LINES)
    .optional()
    .meta({ description: 'All lines of the draft.' }),
  id: readOnlyField,
  number: readOnlyField,
  status: readOnlyField,
  vendorName: readOnlyField,
  total: readOnlyField,
  taxTotal: readOnlyField,
  grandTotal: readOnlyField,
  cancelReason: readOnlyField,
  createdAt: readOnlyField,
  updatedAt: readOnlyField,
});

type DraftChangesInput = z.infer<typeof draftChangesInput>;

/** The input without its read-only fields. @throws AppError 400 naming each read-only field that was changed */
function parseDraftChanges(body: DraftChangesInput, order: PresentedOrder, { company: { timeZone } }: BusinessCaller) {
  const current = serializeResponse(order, timeZone);
  const { lines, orderDate, expectedDate, ...fields } = stripReadOnlyFields(body, current, READ_ONLY);
  const currentLines = order.lines.map((each) => serializeResponse(each, timeZone));
  const changed = lines && stripReadOnlyLineFields(lines, currentLines, LINE_READ_ONLY);
  return {
    ...fields,
    orderDate: parseCalendarField('orderDate', orderDate, timeZone),
    expectedDate: expectedDate === null ? null : parseCalendarField('expectedDate', expectedDate, timeZone),
    lines: changed?.map(({ lineId, productId, quantity, unitCost, description, taxRateId, warehouseId }) => ({
      lineId,
      productId,
      quantity,
      unitCost,
      description: description ?? undefined,
      taxRateId: taxRateId ?? undefined,
      warehouseId: warehouseId ?? undefined,
    })),
  };
}

const update = defineRoute({
  method: 'put',
  path: '/api/purchase-orders/:id',
  operationId: 'updatePurchaseOrder',
  summary: 'Update a draft, or when the goods are expected',
  description:
    'Changes the fields that are sent and recalculates the draft. Of an order that was placed and not received completely, `expectedDate` can change. `null` stands for the default: today as `orderDate`, the currency of the vendor as `currencyCode`. Read-only fields may be sent back unchanged. `lines` replaces all lines; a field of a line that is absent or null gets the default of its product. If the vendor changes, a line keeps its tax rate unless that was the default for the vendor before. Honours If-Match.',
  tag: 'Purchase orders',
  addition: true,
  permission: 'purchase-orders:update',
  params: idPath,
  body: draftChangesInput,
  bodyExample: { expectedDate: '2026-12-01', lines: [{ lineId: 1, productId: 1, quantity: 12, unitCost: 4.2 }] },
  replies: { 200: { description: 'The updated order.', schema: z.object({ data: orderSchema }) } },
  errors: {
    409: 'The order has been placed, and another field than `expectedDate` would change (`order_already_placed`); the message states how to change it.',
    412: 'The order has changed since the version that If-Match names.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const order = await getOrder(caller, params.id);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const changes = parseDraftChanges(body, await presentOrder(order), caller);
    const record = await updatePurchaseOrder(context.platform, caller, at, changes);
    const data = await presentOrder(record);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data }, caller.company.timeZone),
    };
  },
});

export const purchaseOrderDraftRoutes: readonly Route[] = [update];

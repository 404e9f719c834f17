import { z } from 'zod';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import type { BusinessCaller } from '../../../services/business/access/caller';
import {
  getSalesOrder,
  requireSalesOrderDraft,
  updateSalesOrder,
} from '../../../services/business/orders/sales-orders';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { currencyCode, idPath, parseCalendarField, readOnlyField, readOnlyFields, recordId } from '../fields';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields, stripReadOnlyLineFields } from '../revisions';
import { serializeResponse } from '../serialization';
import { buildOrderLinesSchema } from '../order-lines';
import { MAX_SALES_ORDER_LINES, orderDate, orderLineFields, orderTexts } from './sales-order-input';
import { exampleSalesOrder, presentSalesOrder, salesOrderSchema } from './sales-order-responses';

const READ_ONLY = [
  'id',
  'number',
  'status',
  'customerName',
  'total',
  'taxTotal',
  'grandTotal',
  'invoiceId',
  'invoiceNumber',
  'cancelReason',
  'createdAt',
  'updatedAt',
] as const;

/** The read-only fields of a line. Lines are renumbered. */
const LINE_READ_ONLY = ['productCode', 'unit', 'net', 'tax', 'reserved'] as const;

const draftLineInput = z.strictObject({
  ...orderLineFields,
  warehouseId: orderLineFields.warehouseId.nullable(),
  lineId: recordId.optional().meta({ description: 'Id of an existing line of the draft; absent for a new line.' }),
  productCode: readOnlyField,
  unit: readOnlyField,
  net: readOnlyField,
  tax: readOnlyField,
  reserved: readOnlyField,
});

const draftChangesInput = z.strictObject({
  customerId: recordId.optional(),
  orderDate: orderDate.nullable(),
  currencyCode: currencyCode.nullable().optional(),
  ...orderTexts,
  lines: buildOrderLinesSchema(draftLineInput, MAX_SALES_ORDER_LINES)
    .optional()
    .meta({ description: 'All lines of the draft.' }),
  ...readOnlyFields(READ_ONLY),
});

/** The input without its read-only fields. @throws AppError 400 naming each read-only field that was changed */
function parseDraftChanges(
  body: z.infer<typeof draftChangesInput>,
  order: SalesOrderRecord,
  { company: { timeZone } }: BusinessCaller,
) {
  const current = serializeResponse(presentSalesOrder(order), timeZone);
  const { lines, orderDate: day, ...fields } = stripReadOnlyFields(body, current, READ_ONLY);
  const changed = lines && stripReadOnlyLineFields(lines, current.lines, LINE_READ_ONLY);
  return {
    ...fields,
    orderDate: parseCalendarField('orderDate', day, timeZone),
    lines: changed?.map((each) => ({ ...each, warehouseId: each.warehouseId ?? undefined })),
  };
}

const update = defineRoute({
  method: 'put',
  path: '/api/sales-orders/:id',
  operationId: 'updateSalesOrder',
  summary: 'Update a draft',
  description:
    'Changes the fields that are sent and computes the draft again; `lines` replaces all lines. `null` stands for the default: today as `orderDate`, the currency of the customer as `currencyCode`. Read-only fields may be sent back unchanged. If the customer changes, a line keeps its tax rate unless that was the default for the customer before. Honours If-Match.',
  tag: 'Sales orders',
  addition: true,
  permission: 'invoices:update',
  params: idPath,
  body: draftChangesInput,
  bodyExample: { lines: [{ productId: 1, quantity: 3 }] },
  replies: {
    200: {
      description: 'The updated draft.',
      schema: z.object({ data: salesOrderSchema }),
      example: { data: { ...exampleSalesOrder, status: 'draft' as const } },
    },
  },
  errors: {
    409: 'The order has been confirmed (`order_already_confirmed`): cancel it and create another.',
    412: 'The draft has changed since the version that If-Match names.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = await getSalesOrder(caller, params.id);
    requireSalesOrderDraft(current);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const order = await updateSalesOrder(context.platform, caller, at, parseDraftChanges(body, current, caller));
    const data = presentSalesOrder(order);
    return { status: 200, headers: buildEtagHeader(order.version), body: serializeResponse({ data }, timeZone) };
  },
});

export const salesOrderDraftRoutes: readonly Route[] = [update];

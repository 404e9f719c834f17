import { z } from 'zod';
import type { PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getOrder, requireOrderDraft, updateOrder } from '../../../services/business/purchasing/orders';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { calendarField, currencyCode, dayInput, idPath, line, paragraph, recordId, unread } from '../fields';
import { etag, ifMatch, linesWithoutReadOnly, withoutReadOnly } from '../revisions';
import { orderShape, orderView } from './order-responses';
import { orderLine, orderLines } from './order-input';

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

/** What a line says beside what was asked of it; lines are numbered anew. */
const LINE_READ_ONLY = ['productCode', 'unit', 'received'] as const;

const changedLine = z.strictObject({
  ...orderLine,
  description: orderLine.description.nullable(),
  taxRateId: orderLine.taxRateId.nullable(),
  warehouseId: orderLine.warehouseId.nullable(),
  lineId: recordId.optional().meta({ description: 'A line of the draft as it was read; left out for a new one.' }),
  productCode: unread,
  unit: unread,
  received: unread,
});

const changesInput = z.strictObject({
  vendorId: recordId.optional(),
  orderDate: dayInput.optional(),
  expectedDate: dayInput.nullable().optional(),
  currencyCode: currencyCode.optional(),
  reference: line(100).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
  lines: orderLines(changedLine).optional().meta({ description: 'All lines of the draft.' }),
  id: unread,
  number: unread,
  status: unread,
  vendorName: unread,
  total: unread,
  taxTotal: unread,
  grandTotal: unread,
  cancelReason: unread,
  createdAt: unread,
  updatedAt: unread,
});

type Changes = z.infer<typeof changesInput>;

/** What is to change, without what is only read. @throws AppError 400 naming each read-only field that was changed */
function changesOf(body: Changes, order: PurchaseOrderRecord, { company: { timeZone } }: BusinessCaller) {
  const shown = answer(orderView(order), timeZone);
  const { lines, orderDate, expectedDate, ...fields } = withoutReadOnly(body, shown, READ_ONLY);
  const shownLines = orderView(order).lines.map((each) => answer(each, timeZone));
  const changed = lines && linesWithoutReadOnly(lines, shownLines, LINE_READ_ONLY);
  return {
    ...fields,
    orderDate: calendarField('orderDate', orderDate, timeZone),
    expectedDate: expectedDate === null ? null : calendarField('expectedDate', expectedDate, timeZone),
    lines: changed?.map(({ productId, quantity, unitCost, description, taxRateId, warehouseId }) => ({
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
  summary: 'Change a draft',
  description:
    'Changes what is sent and works the draft out again; what was read can be put back. `lines` are all lines, each with what it needs: what is left out or null of one is the default of its product. Honours If-Match.',
  tag: 'Purchase orders',
  addition: true,
  permission: 'purchase-orders:update',
  params: idPath,
  body: changesInput,
  bodyExample: { expectedDate: '2026-12-01', lines: [{ lineId: 1, productId: 1, quantity: 12, unitCost: 4.2 }] },
  replies: { 200: { description: 'The draft as it is now.', schema: z.object({ data: orderShape }) } },
  errors: {
    409: 'It was placed (`order_already_placed`): the answer names the way out.',
    412: 'The draft has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const order = await getOrder(caller, params.id);
    requireOrderDraft(order);
    const at = { id: params.id, ifMatch: ifMatch(context) };
    const record = await updateOrder(context.platform, caller, at, changesOf(body, order, caller));
    const data = orderView(record);
    return { status: 200, headers: etag(record.version), body: answer({ data }, caller.company.timeZone) };
  },
});

export const purchaseOrderDraftRoutes: readonly Route[] = [update];

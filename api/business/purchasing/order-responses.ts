import { z } from 'zod';
import { ORDER_STATUSES } from '../../../domain/business/purchasing/purchasing';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import { readReturnedQuantities } from '../../../services/business/purchasing/returned-order-lines';
import { day, instant } from '../fields';

const summaryFields = {
  id: z.number().int(),
  number: z.string(),
  status: z.enum(ORDER_STATUSES),
  vendorId: z.number().int(),
  vendorName: z.string(),
  orderDate: day,
  expectedDate: day.nullable(),
  currencyCode: z.string(),
  total: z.number().meta({ description: 'Total before tax.' }),
  taxTotal: z.number(),
  grandTotal: z.number(),
};

export const orderSummarySchema = z.object(summaryFields);

export const orderSchema = z.object({
  ...summaryFields,
  reference: z.string().nullable(),
  notes: z.string().nullable(),
  cancelReason: z.string().nullable(),
  lines: z.array(
    z.object({
      lineId: z.number().int(),
      productId: z.number().int(),
      productCode: z.string(),
      description: z.string(),
      unit: z.string(),
      quantity: z.number(),
      unitCost: z.number(),
      taxRateId: z.number().int(),
      warehouseId: z.number().int().nullable(),
      received: z.number(),
      returned: z.number().meta({
        description: 'Quantity that was received and returned to the vendor since; it can be received again.',
      }),
    }),
  ),
  createdAt: instant,
  updatedAt: instant,
});

/** A purchase order in lists: totals in its currency, without lines. */
export const presentOrderSummary = (order: PurchaseOrderRecord) => ({
  id: order.id,
  number: order.number,
  status: order.status,
  vendorId: order.vendorId,
  vendorName: order.vendorName,
  orderDate: order.orderDate,
  expectedDate: order.expectedDate,
  currencyCode: order.currencyCode,
  total: order.total,
  taxTotal: order.taxTotal,
  grandTotal: order.grandTotal,
});

/**
 * Response body of a purchase order; `received` of a line is the quantity that receipts have posted so far.
 * @param returned what was returned to the vendor, by line; nothing of an order that was not received
 */
const buildOrderBody = (order: PurchaseOrderRecord, returned: ReadonlyMap<number, Decimal>) => ({
  ...presentOrderSummary(order),
  reference: order.reference,
  notes: order.notes,
  cancelReason: order.cancelReason,
  lines: order.lines.map((each) => ({
    lineId: each.lineId,
    productId: each.productId,
    productCode: each.productCode,
    description: each.description,
    unit: each.unit,
    quantity: each.quantity,
    unitCost: each.unitCost,
    taxRateId: each.taxRateId,
    warehouseId: each.warehouseId,
    received: each.received,
    returned: returned.get(each.lineId) ?? ZERO,
  })),
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});

/** Response body of an order of which nothing was received. */
export const presentNewOrder = (order: PurchaseOrderRecord) => buildOrderBody(order, new Map());

export type PresentedOrder = ReturnType<typeof presentNewOrder>;

/** Response body of any purchase order. */
export async function presentOrder(order: PurchaseOrderRecord) {
  if (!order.lines.some(({ received }) => fromDecimal128(received).gt(0))) return presentNewOrder(order);
  return buildOrderBody(order, await readReturnedQuantities(order));
}

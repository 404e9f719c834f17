import { z } from 'zod';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { day, instant } from '../fields';

export const payableSchema = z.object({
  id: z.number().int().meta({ description: 'The payable’s id, by which it is paid.' }),
  type: z.enum(['receipt', 'bill', 'credit_note']),
  status: z.enum(['posted', 'void']),
  number: z.string(),
  vendorId: z.number().int(),
  vendorName: z.string(),
  date: day,
  supplyDate: day.meta({ description: 'The day whose tax rates apply.' }),
  dueDate: day,
  currencyCode: z.string(),
  exchangeRate: z.number(),
  lines: z.array(
    z.object({
      lineId: z.number().int(),
      productId: z.number().int().nullable(),
      description: z.string(),
      quantity: z.number(),
      unitCost: z.number(),
      taxRateId: z.number().int(),
      net: z.number(),
      tax: z.number(),
      returned: z.number().meta({ description: 'Of a receipt: the quantity that was returned to the vendor.' }),
    }),
  ),
  total: z.number(),
  taxTotal: z.number(),
  grandTotal: z.number(),
  baseGrandTotal: z.number(),
  orderId: z.number().int().nullable(),
  billId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the bill that replaced a receipt; null for bills and open receipts.' }),
  receiptIds: z.array(z.number().int()),
  priceDifference: z.number().meta({
    description:
      'What a bill charges more than its receipts because of other prices and of charges such as freight, before tax, in base currency.',
  }),
  quantityDifference: z.number().meta({
    description:
      'The same because of other quantities, at the price of the receipt; negative if less is billed than was received.',
  }),
  exchangeDifference: z.number().meta({
    description:
      'The same because the exchange rate differs from that of the day of receipt. Of a credit note for returned goods: the part that it takes back.',
  }),
  reference: z.string().nullable(),
  voidedOn: day.nullable().meta({ description: 'Of a void bill or credit note: the day of its counter-entries.' }),
  voidReason: z.string().nullable(),
  createdAt: instant,
});

/** A payable as it is read on its own. */
export const payableDetailSchema = payableSchema.extend({
  open: z.number().meta({
    description: 'What is open of it, in its currency; of a credit note, what can still be applied or refunded.',
  }),
});

/**
 * Response body of a receipt, bill or credit note of a vendor, without what is open of it. Amounts are in its currency;
 * `baseGrandTotal` and the three differences are in the base currency.
 */
export const presentPayable = (record: PayableRecord) => ({
  id: record.id,
  type: record.type,
  status: record.voidedOn === undefined ? ('posted' as const) : ('void' as const),
  number: record.number,
  vendorId: record.vendorId,
  vendorName: record.vendorName,
  date: record.date,
  supplyDate: record.supplyDate ?? record.date,
  dueDate: record.dueDate,
  currencyCode: record.currencyCode,
  exchangeRate: record.exchangeRate,
  lines: record.lines.map((line) => ({
    lineId: line.lineId,
    productId: line.productId,
    description: line.description,
    quantity: line.quantity,
    unitCost: line.unitCost,
    taxRateId: line.taxRateId,
    net: line.net,
    tax: line.tax,
    returned: line.returned ?? 0,
  })),
  total: record.total,
  taxTotal: record.taxTotal,
  grandTotal: record.grandTotal,
  baseGrandTotal: record.baseGrandTotal,
  orderId: record.orderId,
  billId: record.billId,
  receiptIds: record.receiptIds,
  priceDifference: record.priceDifference,
  quantityDifference: record.quantityDifference ?? 0,
  exchangeDifference: record.exchangeDifference ?? 0,
  reference: record.reference,
  voidedOn: record.voidedOn ?? null,
  voidReason: record.voidReason ?? null,
  createdAt: record.createdAt,
});

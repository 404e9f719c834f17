import { z } from 'zod';
import { SALES_ORDER_STATUSES } from '../../../domain/business/orders/sales-orders';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import { day, instant } from '../fields';

const summaryFields = {
  id: z.number().int(),
  number: z.string(),
  status: z.enum(SALES_ORDER_STATUSES),
  customerId: z.number().int(),
  customerName: z.string(),
  orderDate: day,
  currencyCode: z.string(),
  total: z.number().meta({ description: 'Total before tax.' }),
  taxTotal: z.number(),
  grandTotal: z.number(),
  invoiceId: z.number().int().nullable().meta({ description: 'Id of the invoice of the order; null before.' }),
  invoiceNumber: z.string().nullable(),
};

export const salesOrderSummarySchema = z.object(summaryFields);

export const salesOrderSchema = z.object({
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
      unitPrice: z.number(),
      discountPercent: z.number(),
      taxRateId: z.number().int(),
      priceIncludesTax: z.boolean(),
      warehouseId: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Warehouse in which the goods are reserved; null for a service.' }),
      net: z.number(),
      tax: z.number(),
      reserved: z.number().meta({ description: 'The quantity while the order is confirmed, else 0.' }),
    }),
  ),
  createdAt: instant,
  updatedAt: instant,
});

/** A sales order in lists: totals in its currency, without lines. */
export const presentSalesOrderSummary = (order: SalesOrderRecord) => ({
  id: order.id,
  number: order.number,
  status: order.status,
  customerId: order.customerId,
  customerName: order.customerName,
  orderDate: order.orderDate,
  currencyCode: order.currencyCode,
  total: order.total,
  taxTotal: order.taxTotal,
  grandTotal: order.grandTotal,
  invoiceId: order.invoiceId,
  invoiceNumber: order.invoiceNumber,
});

/** Response body of a sales order. Only a confirmed order reserves goods; services are never reserved. */
export const presentSalesOrder = (order: SalesOrderRecord) => ({
  ...presentSalesOrderSummary(order),
  reference: order.reference,
  notes: order.notes,
  cancelReason: order.cancelReason,
  lines: order.lines.map((line) => ({
    lineId: line.lineId,
    productId: line.productId,
    productCode: line.productCode,
    description: line.description,
    unit: line.unit,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    discountPercent: line.discountPercent,
    taxRateId: line.taxRateId,
    priceIncludesTax: line.priceIncludesTax,
    warehouseId: line.warehouseId,
    net: line.net,
    tax: line.tax,
    reserved: order.status === 'confirmed' && line.warehouseId !== null ? line.quantity : 0,
  })),
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});

/** An answer for the OpenAPI document. */
export const exampleSalesOrder = {
  id: 1,
  number: 'SO-000001',
  status: 'confirmed' as const,
  customerId: 1,
  customerName: 'Northwind GmbH',
  orderDate: '2026-11-21',
  currencyCode: 'EUR',
  total: 119.8,
  taxTotal: 22.76,
  grandTotal: 142.56,
  invoiceId: null,
  invoiceNumber: null,
  reference: 'PO 4711',
  notes: null,
  cancelReason: null,
  lines: [
    {
      lineId: 1,
      productId: 1,
      productCode: 'LAMP-01',
      description: 'Desk lamp',
      unit: 'C62',
      quantity: 2,
      unitPrice: 59.9,
      discountPercent: 0,
      taxRateId: 1,
      priceIncludesTax: false,
      warehouseId: 1,
      net: 119.8,
      tax: 22.76,
      reserved: 2,
    },
  ],
  createdAt: '2026-11-21T10:12:00.000+01:00',
  updatedAt: '2026-11-21T10:15:00.000+01:00',
};

import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import { ORDER_STATUSES } from '../../../domain/business/purchasing/purchasing';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import { PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import { addInvoiceBalances } from './derived-columns';
import { BY_ID, day, decimal, flag, from, instant, integer, number, text, TOTALS, word } from './source';
import type { ExportSource } from './source';

const INVOICE_HEAD = [
  ...integer('id'),
  ...text('number', 'status'),
  ...integer('customerId'),
  from('customerName', 'text', 'document.buyer.name'),
  ...day('issueDate', 'dueDate'),
  ...text('currencyCode'),
];

const INVOICE_FILTERS = {
  permission: 'invoices:read',
  model: Invoice,
  key: 'id',
  base: {},
  index: BY_ID,
  equal: { status: word('status', INVOICE_STATUSES), customerId: number('customerId') },
  dated: { field: 'issueDate', kind: 'day' },
  search: true,
} as const;

export const INVOICES: ExportSource = {
  ...INVOICE_FILTERS,
  columns: [
    ...INVOICE_HEAD,
    ...TOTALS,
    from('open', 'decimal', null),
    from('overdue', 'boolean', null),
    from('exchangeRate', 'decimal', 'document.exchangeRate'),
    from('baseCurrencyCode', 'text', 'document.baseCurrencyCode'),
    ...decimal('baseTotal', 'baseTaxTotal', 'baseGrandTotal'),
    from('reference', 'text', 'document.reference'),
    from('paymentTerms', 'text', 'document.paymentTerms'),
    ...day('voidedOn'),
    ...instant('createdAt'),
  ],
  derive: addInvoiceBalances,
};

export const INVOICE_LINES: ExportSource = {
  ...INVOICE_FILTERS,
  columns: INVOICE_HEAD.map((column) =>
    column.name === 'id' || column.name === 'number'
      ? { ...column, name: column.name === 'id' ? 'invoiceId' : 'invoiceNumber' }
      : column,
  ),
  each: {
    from: 'document.lines',
    columns: [
      ...integer('lineId', 'productId'),
      ...text('productCode', 'description', 'unit'),
      ...decimal('quantity', 'unitPrice'),
      ...flag('priceIncludesTax'),
      ...decimal('discountPercent', 'discount', 'net', 'tax'),
      ...integer('taxRateId'),
      ...decimal('taxPercent'),
      ...text('taxCategory'),
    ],
  },
};

export const CREDIT_NOTES: ExportSource = {
  permission: 'credit-notes:read',
  model: CreditNote,
  key: 'id',
  base: {},
  index: BY_ID,
  columns: [
    ...integer('id'),
    ...text('number'),
    ...integer('invoiceId'),
    from('invoiceNumber', 'text', 'document.precedingInvoice.number'),
    ...integer('customerId'),
    from('customerName', 'text', 'document.buyer.name'),
    ...day('issueDate'),
    ...text('currencyCode'),
    ...TOTALS,
    from('reason', 'text', 'document.reason'),
    from('baseCurrencyCode', 'text', 'document.baseCurrencyCode'),
    ...decimal('baseTotal', 'baseTaxTotal', 'baseGrandTotal'),
    ...instant('createdAt'),
  ],
  equal: { invoiceId: number('invoiceId'), customerId: number('customerId') },
  dated: { field: 'issueDate', kind: 'day' },
  search: true,
};

export const PURCHASE_ORDERS: ExportSource = {
  permission: 'purchase-orders:read',
  model: PurchaseOrder,
  key: 'id',
  base: {},
  index: BY_ID,
  columns: [
    ...integer('id'),
    ...text('number', 'status'),
    ...integer('vendorId'),
    ...text('vendorName'),
    ...day('orderDate', 'expectedDate'),
    ...text('currencyCode'),
    ...TOTALS,
    ...text('reference'),
    ...instant('createdAt'),
  ],
  equal: { status: word('status', ORDER_STATUSES), vendorId: number('vendorId') },
  dated: { field: 'orderDate', kind: 'day' },
  search: true,
};

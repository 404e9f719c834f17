import { INVOICE_STATUS_FILTERS } from '../../../domain/business/invoices/invoice';
import { ORDER_STATUSES } from '../../../domain/business/purchasing/purchasing';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import { PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import { buildInvoiceStatusCondition } from '../invoices/invoice-lists';
import { addInvoiceBalances } from './derived-columns';
import {
  ID_INDEX,
  dayColumns,
  decimalColumns,
  booleanColumns,
  choiceFilter,
  columnFrom,
  instantColumns,
  integerColumns,
  idFilter,
  textColumns,
  TOTAL_COLUMNS,
  wordFilter,
} from './source';
import type { ExportSource } from './source';

const INVOICE_HEAD = [
  ...integerColumns('id'),
  ...textColumns('number', 'status'),
  ...integerColumns('customerId'),
  columnFrom('customerName', 'text', 'document.buyer.name'),
  ...dayColumns('issueDate', 'dueDate'),
  ...textColumns('currencyCode'),
];

const INVOICE_FILTERS = {
  permission: 'invoices:read',
  model: Invoice,
  key: 'id',
  base: {},
  index: ID_INDEX,
  equal: {
    status: choiceFilter('status', INVOICE_STATUS_FILTERS, buildInvoiceStatusCondition),
    customerId: idFilter('customerId'),
  },
  dated: { field: 'issueDate', kind: 'day' },
  search: true,
} as const;

export const INVOICE_SOURCE: ExportSource = {
  ...INVOICE_FILTERS,
  columns: [
    ...INVOICE_HEAD,
    ...TOTAL_COLUMNS,
    columnFrom('open', 'decimal', null),
    columnFrom('overdue', 'boolean', null),
    columnFrom('exchangeRate', 'decimal', 'document.exchangeRate'),
    columnFrom('baseCurrencyCode', 'text', 'document.baseCurrencyCode'),
    ...decimalColumns('baseTotal', 'baseTaxTotal', 'baseGrandTotal'),
    columnFrom('reference', 'text', 'document.reference'),
    columnFrom('paymentTerms', 'text', 'document.paymentTerms'),
    ...dayColumns('voidedOn'),
    ...instantColumns('createdAt'),
  ],
  derive: addInvoiceBalances,
};

export const INVOICE_LINE_SOURCE: ExportSource = {
  ...INVOICE_FILTERS,
  columns: INVOICE_HEAD.map((column) =>
    column.name === 'id' || column.name === 'number'
      ? { ...column, name: column.name === 'id' ? 'invoiceId' : 'invoiceNumber' }
      : column,
  ),
  each: {
    from: 'document.lines',
    columns: [
      ...integerColumns('lineId', 'productId'),
      ...textColumns('productCode', 'description', 'unit'),
      ...decimalColumns('quantity', 'unitPrice'),
      ...booleanColumns('priceIncludesTax'),
      ...decimalColumns('discountPercent', 'discount', 'net', 'tax'),
      ...integerColumns('taxRateId'),
      ...decimalColumns('taxPercent'),
      ...textColumns('taxCategory'),
    ],
  },
};

export const CREDIT_NOTE_SOURCE: ExportSource = {
  permission: 'credit-notes:read',
  model: CreditNote,
  key: 'id',
  base: {},
  index: ID_INDEX,
  columns: [
    ...integerColumns('id'),
    ...textColumns('number'),
    ...integerColumns('invoiceId'),
    columnFrom('invoiceNumber', 'text', 'document.precedingInvoice.number'),
    ...integerColumns('customerId'),
    columnFrom('customerName', 'text', 'document.buyer.name'),
    ...dayColumns('issueDate'),
    ...textColumns('currencyCode'),
    ...TOTAL_COLUMNS,
    columnFrom('reason', 'text', 'document.reason'),
    columnFrom('baseCurrencyCode', 'text', 'document.baseCurrencyCode'),
    ...decimalColumns('baseTotal', 'baseTaxTotal', 'baseGrandTotal'),
    ...instantColumns('createdAt'),
  ],
  equal: { invoiceId: idFilter('invoiceId'), customerId: idFilter('customerId') },
  dated: { field: 'issueDate', kind: 'day' },
  search: true,
};

export const PURCHASE_ORDER_SOURCE: ExportSource = {
  permission: 'purchase-orders:read',
  model: PurchaseOrder,
  key: 'id',
  base: {},
  index: ID_INDEX,
  columns: [
    ...integerColumns('id'),
    ...textColumns('number', 'status'),
    ...integerColumns('vendorId'),
    ...textColumns('vendorName'),
    ...dayColumns('orderDate', 'expectedDate'),
    ...textColumns('currencyCode'),
    ...TOTAL_COLUMNS,
    ...textColumns('reference'),
    ...instantColumns('createdAt'),
  ],
  equal: { status: wordFilter('status', ORDER_STATUSES), vendorId: idFilter('vendorId') },
  dated: { field: 'orderDate', kind: 'day' },
  search: true,
};

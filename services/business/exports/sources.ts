import type { ExportColumn, ExportResource } from '../../../domain/business/exports/exports';
import { entries, openItems, payments } from './account-sources';
import { CUSTOMERS, LEADS, OPPORTUNITIES, PRODUCTS, STOCK, STOCK_LEDGER, VENDORS } from './record-sources';
import { CREDIT_NOTES, INVOICE_LINES, INVOICES, PURCHASE_ORDERS } from './sales-sources';
import type { ExportSource } from './source';

/** What can be taken out, with whose permission, and how. */
export const EXPORT_SOURCES: Readonly<Record<ExportResource, ExportSource>> = {
  invoices: INVOICES,
  'invoice-lines': INVOICE_LINES,
  'credit-notes': CREDIT_NOTES,
  customers: CUSTOMERS,
  vendors: VENDORS,
  products: PRODUCTS,
  stock: STOCK,
  'stock-ledger': STOCK_LEDGER,
  receivables: openItems('receivable'),
  'receivable-payments': payments('receivable'),
  'receivable-entries': entries('receivable'),
  payables: openItems('payable'),
  'payable-payments': payments('payable'),
  'payable-entries': entries('payable'),
  'purchase-orders': PURCHASE_ORDERS,
  leads: LEADS,
  opportunities: OPPORTUNITIES,
};

/** The columns of a row, in their order. */
export const columnsOf = (source: ExportSource): readonly ExportColumn[] =>
  [...source.columns, ...(source.each?.columns ?? [])].map(({ name, kind }) => ({ name, kind }));

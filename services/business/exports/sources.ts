import type { ExportColumn, ExportResource } from '../../../domain/business/exports/exports';
import { buildEntrySource, buildOpenItemSource, buildPaymentSource } from './account-sources';
import {
  CUSTOMER_SOURCE,
  LEAD_SOURCE,
  OPPORTUNITY_SOURCE,
  PRODUCT_SOURCE,
  STOCK_SOURCE,
  STOCK_LEDGER_SOURCE,
  VENDOR_SOURCE,
} from './record-sources';
import { CREDIT_NOTE_SOURCE, INVOICE_LINE_SOURCE, INVOICE_SOURCE, PURCHASE_ORDER_SOURCE } from './sales-sources';
import { JOURNAL_SOURCE } from './journal-source';
import { STOCK_VALUATION_SOURCE } from './stock-valuation-source';
import type { DerivedSource, ExportSource } from './source';

/** The lists that can be exported. */
export const EXPORT_SOURCES: Readonly<Record<ExportResource, ExportSource | DerivedSource>> = {
  invoices: INVOICE_SOURCE,
  'invoice-lines': INVOICE_LINE_SOURCE,
  'credit-notes': CREDIT_NOTE_SOURCE,
  customers: CUSTOMER_SOURCE,
  vendors: VENDOR_SOURCE,
  products: PRODUCT_SOURCE,
  stock: STOCK_SOURCE,
  'stock-ledger': STOCK_LEDGER_SOURCE,
  'stock-valuation': STOCK_VALUATION_SOURCE,
  receivables: buildOpenItemSource('receivable'),
  'receivable-payments': buildPaymentSource('receivable'),
  'receivable-entries': buildEntrySource('receivable'),
  payables: buildOpenItemSource('payable'),
  'payable-payments': buildPaymentSource('payable'),
  'payable-entries': buildEntrySource('payable'),
  'purchase-orders': PURCHASE_ORDER_SOURCE,
  journal: JOURNAL_SOURCE,
  leads: LEAD_SOURCE,
  opportunities: OPPORTUNITY_SOURCE,
};

/** The columns of a row, in order. */
export const listColumns = (source: ExportSource | DerivedSource): readonly ExportColumn[] =>
  [...source.columns, ...(source.each?.columns ?? [])].map(({ name, kind }) => ({ name, kind }));

import type { BaseTotals } from '../../../domain/business/invoices/invoice-calculation';
import { toDecimal128 } from '../../../models/business/decimal128';

/** The totals of a document in its own and in base currency, as the records of invoices and credit notes store them. */
export const toStoredTotals = (totals: BaseTotals, base: BaseTotals) => ({
  total: toDecimal128(totals.total),
  taxTotal: toDecimal128(totals.taxTotal),
  grandTotal: toDecimal128(totals.grandTotal),
  baseTotal: toDecimal128(base.total),
  baseTaxTotal: toDecimal128(base.taxTotal),
  baseGrandTotal: toDecimal128(base.grandTotal),
});

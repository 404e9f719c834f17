import type { DocumentSnapshot, InvoiceLineSnapshot, InvoiceTaxSnapshot } from './invoice';

type TaxedLine = Pick<InvoiceLineSnapshot, 'taxRateId' | 'taxCategory' | 'taxPercent' | 'exemptionReason'>;

const sameReason = (line: TaxedLine, { exemptionReason }: InvoiceTaxSnapshot): boolean =>
  (line.exemptionReason ?? '') === (exemptionReason ?? '');

/**
 * Where a line's row stands in the tax table of its document: one row holds all rates of one category, percentage and
 * reason of exemption, under the first of them. In documents from before lines told their reason it is the row of the
 * line's own rate, else the first of its category and percentage.
 * @returns -1 where the table has no such row
 */
export function taxRowOf({ taxes }: Pick<DocumentSnapshot, 'taxes'>, line: TaxedLine): number {
  const alike = (row: InvoiceTaxSnapshot) => row.category === line.taxCategory && row.percent === line.taxPercent;
  if (line.exemptionReason !== undefined) return taxes.findIndex((row) => alike(row) && sameReason(line, row));
  const own = taxes.findIndex(({ taxRateId }) => taxRateId === line.taxRateId);
  return own >= 0 ? own : taxes.findIndex(alike);
}

import type { DocumentSnapshot, InvoiceLineSnapshot, InvoiceTaxSnapshot } from './invoice';

type TaxedLine = Pick<InvoiceLineSnapshot, 'taxRateId' | 'taxCategory' | 'taxPercent' | 'exemptionReason'>;

const hasSameReason = (line: TaxedLine, { exemptionReason }: InvoiceTaxSnapshot): boolean =>
  (line.exemptionReason ?? '') === (exemptionReason ?? '');

/**
 * Finds the row of a line in the tax table of its document: one row holds all rates of one category, percentage and
 * exemption reason, under the first of them. In documents issued before lines had an exemption reason, it is the row of
 * the line's own rate, else the first row of its category and percentage.
 * @returns -1 if the table has no such row
 */
export function findTaxRowIndex({ taxes }: Pick<DocumentSnapshot, 'taxes'>, line: TaxedLine): number {
  const hasSameRate = (row: InvoiceTaxSnapshot) => row.category === line.taxCategory && row.percent === line.taxPercent;
  if (line.exemptionReason !== undefined) return taxes.findIndex((row) => hasSameRate(row) && hasSameReason(line, row));
  const ownIndex = taxes.findIndex(({ taxRateId }) => taxRateId === line.taxRateId);
  return ownIndex >= 0 ? ownIndex : taxes.findIndex(hasSameRate);
}

import { Decimal, MAX_AMOUNT, round, allocateByLargestRemainder, sum, ZERO } from '../decimal';

/** How tax is rounded: once per rate on the sum of its lines (the default), or on each line. */
export type TaxRounding = 'per_rate' | 'per_line';

export interface CalculationLine {
  quantity: Decimal;
  unitPrice: Decimal;
  /** Percentage from 0 to 100. */
  discountPercent: Decimal;
  /** Whether `unitPrice` contains the tax. */
  priceIncludesTax: boolean;
  /** Lines with the same key share a row of the tax table; they must have the same percentage. */
  taxKey: string;
  taxPercent: Decimal;
}

export interface CalculatedLine {
  /** Quantity × unit price, rounded to the currency. */
  gross: Decimal;
  /** Gross × discount percent, rounded to the currency. */
  discount: Decimal;
  /** Amount before tax, after discount. */
  net: Decimal;
  /** The line's share of the tax of its rate; the shares add up to the tax table exactly. */
  tax: Decimal;
}

export interface CalculatedTax {
  taxKey: string;
  percent: Decimal;
  net: Decimal;
  tax: Decimal;
}

export interface InvoiceCalculation {
  lines: CalculatedLine[];
  /** One row per tax key, in the order of first appearance. */
  taxes: CalculatedTax[];
  /** Total before tax. */
  total: Decimal;
  taxTotal: Decimal;
  /** Always `total` + `taxTotal`. */
  grandTotal: Decimal;
}

interface PricedLine {
  index: number;
  gross: Decimal;
  discount: Decimal;
  payable: Decimal;
}

const priceLine = (line: CalculationLine, index: number, decimals: number): PricedLine => {
  const exact = line.quantity.times(line.unitPrice);
  const gross = round(exact, decimals);
  const discount = round(exact.times(line.discountPercent).div(100), decimals);
  return { index, gross, discount, payable: Decimal.max(gross.minus(discount), ZERO) };
};

interface GroupShares {
  nets: Decimal[];
  taxes: Decimal[];
}

/** Prices without tax: tax = round(Σ net × r), or Σ round(net × r) if tax is rounded per line. */
function computeExclusiveShares(
  lines: PricedLine[],
  rate: Decimal,
  decimals: number,
  rounding: TaxRounding,
): GroupShares {
  const nets = lines.map((line) => line.payable);
  const ideals = nets.map((net) => net.times(rate));
  if (rounding === 'per_line') return { nets, taxes: ideals.map((tax) => round(tax, decimals)) };
  return { nets, taxes: allocateByLargestRemainder(round(sum(ideals), decimals), ideals, decimals) };
}

/** Prices with tax: net = round(G ÷ (1 + r)), tax = G − net, with G the sum of the lines, or each line separately. */
function computeInclusiveShares(
  lines: PricedLine[],
  rate: Decimal,
  decimals: number,
  rounding: TaxRounding,
): GroupShares {
  const ideals = lines.map((line) => line.payable.div(rate.plus(1)));
  const nets =
    rounding === 'per_line'
      ? ideals.map((net) => round(net, decimals))
      : allocateByLargestRemainder(
          round(sum(lines.map((line) => line.payable)).div(rate.plus(1)), decimals),
          ideals,
          decimals,
        );
  return { nets, taxes: lines.map((line, position) => line.payable.minus(nets[position] ?? ZERO)) };
}

/**
 * Computes an invoice. Amounts are rounded half away from zero to the currency's `decimals` (0, 2 or 3). Inclusive and
 * exclusive lines of one rate are computed separately and added. 3 × (5 × 6.36) at 21 % carries 20.03 tax per rate and
 * 20.04 per line; 10.05 including 20 % is 8.38 + 1.67.
 */
export function calculateInvoice(
  lines: readonly CalculationLine[],
  decimals: number,
  rounding: TaxRounding,
): InvoiceCalculation {
  const priced = lines.map((line, index) => priceLine(line, index, decimals));
  const results = priced.map(({ gross, discount }): CalculatedLine => ({ gross, discount, net: ZERO, tax: ZERO }));
  const taxes: CalculatedTax[] = [];
  for (const taxKey of new Set(lines.map((line) => line.taxKey))) {
    const percent = lines.find((line) => line.taxKey === taxKey)?.taxPercent ?? ZERO;
    const row: CalculatedTax = { taxKey, percent, net: ZERO, tax: ZERO };
    for (const inclusive of [false, true]) {
      const group = priced.filter(({ index }) => {
        const line = lines[index];
        return line?.taxKey === taxKey && line.priceIncludesTax === inclusive;
      });
      const share = (inclusive ? computeInclusiveShares : computeExclusiveShares)(
        group,
        percent.div(100),
        decimals,
        rounding,
      );
      group.forEach(({ index, gross, discount }, position) => {
        results[index] = {
          gross,
          discount,
          net: share.nets[position] ?? ZERO,
          tax: share.taxes[position] ?? ZERO,
        };
      });
      row.net = row.net.plus(sum(share.nets));
      row.tax = row.tax.plus(sum(share.taxes));
    }
    taxes.push(row);
  }
  const total = sum(taxes.map((tax) => tax.net));
  const taxTotal = sum(taxes.map((tax) => tax.tax));
  return { lines: results, taxes, total, taxTotal, grandTotal: total.plus(taxTotal) };
}

/** Whether any computed amount exceeds the largest amount that the service stores. */
export const exceedsLimit = (calculation: InvoiceCalculation): boolean =>
  calculation.grandTotal.gt(MAX_AMOUNT) || calculation.lines.some((line) => line.gross.gt(MAX_AMOUNT));

/** Totals in base currency. Total and tax are converted and rounded separately; the grand total is their sum. */
export interface BaseTotals {
  total: Decimal;
  taxTotal: Decimal;
  grandTotal: Decimal;
}

/** Converts document totals at `rate` (units of base currency per 1 unit of document currency). */
export function convertTotals(
  totals: Pick<InvoiceCalculation, 'total' | 'taxTotal'>,
  rate: Decimal,
  baseDecimals: number,
): BaseTotals {
  const total = round(totals.total.times(rate), baseDecimals);
  const taxTotal = round(totals.taxTotal.times(rate), baseDecimals);
  return { total, taxTotal, grandTotal: total.plus(taxTotal) };
}

import { divide } from '../accounting/tax-postings';
import { Decimal, round, ZERO } from '../decimal';
import { getGross, sumTaxedAmounts } from '../taxed-amount';
import type { TaxedAmount } from '../taxed-amount';

/** A row of the tax table of an invoice, with what credit notes take of it at the prices before the discount. */
export interface DiscountedRow {
  /** Rows with the same key have one rate, and share what was posted as its discount. */
  rateKey: string;
  invoiced: TaxedAmount;
  creditedBefore: TaxedAmount;
  credited: TaxedAmount;
}

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };

const subtract = (amount: TaxedAmount, taken: TaxedAmount): TaxedAmount => ({
  net: amount.net.minus(taken.net),
  tax: amount.tax.minus(taken.tax),
});

/**
 * Takes the part of a discount that belongs to the credited part of what is left to credit. Neither net amount nor tax
 * exceeds what is credited, now or by the credit notes that follow.
 */
function takePart(discount: TaxedAmount, credited: TaxedAmount, left: TaxedAmount, decimals: number): TaxedAmount {
  const share = getGross(credited).div(getGross(left));
  const gross = round(getGross(discount).times(share), decimals);
  const tax = round(discount.tax.times(share), decimals);
  if (getGross(discount).lte(0)) return { net: gross.minus(tax), tax };
  const rest = subtract(left, credited);
  const lowest = Decimal.max(gross.minus(credited.net), discount.tax.minus(rest.tax));
  const highest = Decimal.min(credited.tax, gross.minus(discount.net).plus(rest.net));
  const bounded = Decimal.min(Decimal.max(tax, lowest), highest);
  return { net: gross.minus(bounded), tax: bounded };
}

/**
 * Computes what a credit note deducts of a discount for early payment that the customer took: at every rate, what earlier
 * credit notes have not deducted, in the proportion in which this one credits what is left of the invoice. Crediting
 * everything, in any parts, deducts exactly the discount. If the discount was taken back after a credit note deducted a
 * part of it, what remains is negative, and the next credit notes return that part.
 * @param remaining by rate key: the discount as posted, less what earlier credit notes deducted
 * @returns for each row, what its credited amounts are reduced by
 */
export function computeCreditedDiscount(
  rows: readonly DiscountedRow[],
  remaining: ReadonlyMap<string, TaxedAmount>,
  decimals: number,
): TaxedAmount[] {
  const deducted = rows.map(() => NOTHING);
  for (const [rateKey, discount] of remaining) {
    const positions = rows.flatMap((row, position) => (row.rateKey === rateKey ? [position] : []));
    const own = rows.filter((row) => row.rateKey === rateKey);
    const credited = sumTaxedAmounts(own.map((row) => row.credited));
    const left = sumTaxedAmounts(own.map((row) => subtract(row.invoiced, row.creditedBefore)));
    if (getGross(credited).lte(0) || getGross(left).lte(0)) continue;
    const part = takePart(discount, credited, left, decimals);
    const nets = divide(
      part.net,
      own.map((row) => row.credited.net),
      decimals,
    );
    const taxes = divide(
      part.tax,
      own.map((row) => row.credited.tax),
      decimals,
    );
    positions.forEach((position, index) => {
      deducted[position] = { net: nets[index] ?? ZERO, tax: taxes[index] ?? ZERO };
    });
  }
  return deducted;
}

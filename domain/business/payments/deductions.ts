import { allocateByLargestRemainder, Decimal, round, sum, ZERO } from '../decimal';
import type { DecimalText } from '../decimal';
import type { ComponentShare } from '../accounting/journal';
import { splitByComponents } from '../accounting/tax-postings';
import type { TaxRow } from '../accounting/tax-postings';
import { getGross, sumGross } from '../taxed-amount';
import type { TaxCategory } from '../settings/tax-rates';

/** Reasons for which the open amount of a document is reduced without money or a document. */
export const DEDUCTION_KINDS = ['discount', 'write_off', 'deposit'] as const;
export type DeductionKind = (typeof DEDUCTION_KINDS)[number];

/** Net amount and tax of one rate, in the currency of the document. */
export type TaxShare = TaxRow;

/** A {@link TaxShare} as it is stored. */
export interface TaxShareText {
  category: TaxCategory;
  percent: string;
  net: DecimalText;
  tax: DecimalText;
  /** The taxes of a rate that has several; absent in records written before it was stored. */
  components?: { name: string; percent: string; share: DecimalText }[];
}

/** What a document charges and has not taken back. */
export interface ChargedTaxes {
  /** The rates of which something is left. */
  taxes: readonly TaxShare[];
  /** The sum with tax; less than that of `taxes` if more was taken back of a rate than it charges. */
  charged: Decimal;
}

/** Whether two rows are of one rate. Rates of several taxes can have the same percentage and different taxes. */
export const isOfRate = (row: TaxShare, other: TaxShare): boolean =>
  row.category === other.category &&
  row.percent === other.percent &&
  (row.components === undefined ||
    other.components === undefined ||
    listComponents(row.components) === listComponents(other.components));

const listComponents = (components: readonly ComponentShare[]): string =>
  JSON.stringify(components.map(({ name, percent }) => [name, percent]));

/** One row per rate: rows of a document that differ in their exemption reason have one rate. */
function mergeRates(rows: readonly TaxShare[]): TaxShare[] {
  const merged: TaxShare[] = [];
  for (const row of rows) {
    const at = merged.findIndex((each) => isOfRate(each, row));
    const same = merged[at];
    if (same === undefined) merged.push(row);
    else merged[at] = { ...same, net: same.net.plus(row.net), tax: same.tax.plus(row.tax) };
  }
  return merged;
}

const subtractFromRates = (rows: readonly TaxShare[], taken: readonly TaxShare[]): TaxShare[] =>
  mergeRates(rows).map((row) => {
    const same = taken.filter((each) => isOfRate(row, each));
    return {
      ...row,
      net: row.net.minus(sum(same.map(({ net }) => net))),
      tax: row.tax.minus(sum(same.map(({ tax }) => tax))),
    };
  });

/** Subtracts amounts that were taken back from their rates; rates of which nothing is left are dropped. */
export const subtractShares = (rows: readonly TaxShare[], taken: readonly TaxShare[]): TaxShare[] =>
  subtractFromRates(rows, taken).filter((row) => getGross(row).gt(0));

/** What a document charges by rate, less what was taken back of it. */
export const computeCharged = (rows: readonly TaxShare[], taken: readonly TaxShare[]): ChargedTaxes => ({
  taxes: subtractShares(rows, taken),
  charged: sumGross(rows).minus(sumGross(taken)),
});

/** What is left of each rate to the cent, also if earlier parts were rounded to more than the rate. */
export const computeRest = (rows: readonly TaxShare[], taken: readonly TaxShare[]): TaxShare[] =>
  subtractFromRates(rows, taken).filter(({ net, tax }) => !net.isZero() || !tax.isZero());

/**
 * Sets the components of what is left of each rate, so that those of all parts add up to those of the document: the tax
 * of each part is divided by itself, and rounded. Components of which too much was taken before keep their proportion.
 */
export const toRestComponents = (
  rest: readonly TaxShare[],
  rows: readonly TaxShare[],
  taken: readonly TaxShare[],
  decimals: number,
): TaxShare[] =>
  rest.map((row) => {
    const { components } = row;
    if (components === undefined) return row;
    const split = (part: TaxShare): Decimal[] => splitByComponents(components, part.tax, decimals);
    const whole = mergeRates(rows).filter((each) => isOfRate(row, each));
    const before = taken.filter((each) => isOfRate(row, each)).map(split);
    const left = components.map((_, index) =>
      sum(whole.map((each) => split(each)[index] ?? ZERO)).minus(sum(before.map((parts) => parts[index] ?? ZERO))),
    );
    if (left.some((each) => each.isNegative())) return row;
    return { ...row, components: components.map((each, index) => ({ ...each, share: left[index] ?? each.share })) };
  });

/**
 * Divides an amount that includes tax over the rates of a document, in proportion to their gross amounts, and each share
 * into net amount and tax. The shares add up to the amount: 2.38 of 119.00 at 19 % is 2.00 and 0.38.
 */
export function divideByRate(rows: readonly TaxShare[], amount: Decimal, decimals: number): TaxShare[] {
  const whole = sumGross(rows);
  if (whole.isZero()) return [];
  const shares = allocateByLargestRemainder(
    amount,
    rows.map((row) => amount.times(getGross(row)).div(whole)),
    decimals,
  );
  return rows.flatMap((row, index) => {
    const gross = shares[index] ?? new Decimal(0);
    if (gross.isZero()) return [];
    const tax = round(gross.times(row.tax).div(getGross(row)), decimals);
    return { ...row, net: gross.minus(tax), tax };
  });
}

/**
 * Divides an amount over the rates of its document, as far as the document still charges it: a correction takes back no
 * more tax than was charged (§ 17 UStG, article 90 of the VAT directive). The open amount can be higher, such as after the
 * return of a payment whose invoice was credited and paid out; the shares then add up to less than the amount.
 * @param taken what earlier deductions corrected
 */
export function divideCharged(
  { taxes, charged }: ChargedTaxes,
  taken: readonly TaxShare[],
  amount: Decimal,
  decimals: number,
): TaxShare[] {
  const left = Decimal.max(charged.minus(sumGross(taken)), ZERO);
  return divideByRate(subtractShares(taxes, taken), Decimal.min(amount, left), decimals);
}

/** A share of tax with its amounts as text, as it is stored. */
export const toShareText = ({ category, percent, net, tax, components }: TaxShare): TaxShareText => ({
  category,
  percent,
  net: net.toFixed(),
  tax: tax.toFixed(),
  ...(components && { components: components.map((each) => ({ ...each, share: each.share.toFixed() })) }),
});

/** A stored share of tax with its amounts as numbers. */
export const fromShareText = ({ category, percent, net, tax, components }: TaxShareText): TaxShare => ({
  category,
  percent,
  net: new Decimal(net),
  tax: new Decimal(tax),
  ...(components && { components: components.map((each) => ({ ...each, share: new Decimal(each.share) })) }),
});

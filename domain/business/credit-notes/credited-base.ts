import type { ComponentShare } from '../accounting/journal';
import { splitByComponents } from '../accounting/tax-postings';
import { Decimal, round, sum, ZERO } from '../decimal';
import type { BaseTotals } from '../invoices/invoice-calculation';
import { sumTaxedAmounts } from '../taxed-amount';
import type { TaxedAmount } from '../taxed-amount';

/** A tax rate of an invoice or bill in another currency, with what credit notes take of it. */
export interface CreditedRate {
  /** What the invoice charges at the rate, and what it posts of it in base currency. */
  invoiced: TaxedAmount;
  invoicedBase: TaxedAmount;
  /** What earlier credit notes and this one credit, at the prices before a discount for early payment. */
  creditedBefore: TaxedAmount;
  credited: TaxedAmount;
  /** What earlier credit notes posted in base currency. */
  postedBase: TaxedAmount;
  /** The discount that earlier credit notes have not deducted, and what this one deducts of it. */
  discount: TaxedAmount;
  deducted: TaxedAmount;
  /** The whole discount as it was posted in base currency. */
  discountBase: TaxedAmount;
}

/** The amount, but not beyond the limit, and not on the other side of zero. */
const bound = (amount: Decimal, limit: Decimal): Decimal =>
  limit.isNegative() ? Decimal.max(Decimal.min(amount, ZERO), limit) : Decimal.min(Decimal.max(amount, ZERO), limit);

/** Whether an amount is further from zero than a limit, on its side. */
const isBeyond = (amount: Decimal, limit: Decimal): boolean =>
  limit.isNegative() ? amount.lt(limit) : amount.gt(limit);

function computePart(each: CreditedRate, part: keyof TaxedAmount, exchangeRate: Decimal, decimals: number): Decimal {
  const [invoiced, invoicedBase] = [each.invoiced[part], each.invoicedBase[part]];
  const [discount, deducted] = [each.discount[part], each.deducted[part]];
  const convert = (amount: Decimal): Decimal => {
    if (amount.eq(invoiced)) return invoicedBase;
    const converted = round(amount.times(exchangeRate), decimals);
    // Vendors can credit more at a rate than they billed.
    if (!isBeyond(amount, invoiced)) return bound(converted, invoicedBase);
    return isBeyond(converted, invoicedBase) ? converted : invoicedBase;
  };
  const before = each.creditedBefore[part];
  const after = before.plus(each.credited[part]);
  const [baseBefore, baseAfter] = [convert(before), convert(after)];
  if (after.eq(invoiced) && deducted.eq(discount))
    return invoicedBase.minus(each.discountBase[part]).minus(each.postedBase[part]);
  const discountLeft = each.discountBase[part].minus(baseBefore.minus(each.postedBase[part]));
  const share = discount.isZero() ? ZERO : round(discountLeft.times(deducted).div(discount), decimals);
  return baseAfter.minus(baseBefore).minus(share);
}

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };

const isCredited = ({ credited }: CreditedRate): boolean => !credited.net.isZero() || !credited.tax.isZero();

/**
 * Converts a credit note to base currency, per tax rate of its invoice or bill: net amounts and taxes are rounded
 * cumulatively at the exchange rate of that document, and exceed what it posts at the rate only if they do so in its
 * currency. The credit note that completes a rate gets what is left of it, so that crediting everything, in any parts,
 * leaves nothing at any rate.
 */
export function computeCreditedBase(
  rates: readonly CreditedRate[],
  exchangeRate: Decimal,
  decimals: number,
): TaxedAmount[] {
  const amounts = rates.map((rate) => ({
    net: computePart(rate, 'net', exchangeRate, decimals),
    tax: computePart(rate, 'tax', exchangeRate, decimals),
  }));
  const isOwn = rates.map(isCredited);
  const own = amounts.map((amount, index) => (isOwn[index] === true ? amount : NOTHING));
  // Credit notes of versions that did not convert per rate can have left a cent at a rate that this one does not credit.
  const rest = sumTaxedAmounts(amounts.filter((_, index) => isOwn[index] === false));
  return own.map((amount, index) => (index === isOwn.indexOf(true) ? sumTaxedAmounts([amount, rest]) : amount));
}

/** The totals in base currency of a credit note, from those of its rates. */
export function sumBaseTotals(rates: readonly TaxedAmount[]): BaseTotals {
  const [total, taxTotal] = [sum(rates.map(({ net }) => net)), sum(rates.map(({ tax }) => tax))];
  return { total, taxTotal, grandTotal: total.plus(taxTotal) };
}

/** A tax in base currency and the components that it is divided by. */
export interface ComponentTax {
  tax: Decimal;
  components?: readonly ComponentShare[];
}

/**
 * Computes what is left of each component of a tax, such as GST and PST, so that those of all credit notes add up to those
 * of the invoice.
 * @returns null if the parts that were taken are divided otherwise, or exceed a component
 */
export function computeRestComponents(
  invoiced: ComponentTax,
  taken: readonly ComponentTax[],
  decimals: number,
): Decimal[] | null {
  const { components } = invoiced;
  if (components === undefined) return null;
  const split = (part: ComponentTax): Decimal[] => splitByComponents(part.components ?? components, part.tax, decimals);
  const before = taken.map(split);
  const left = split(invoiced).map((part, index) => part.minus(sum(before.map((parts) => parts[index] ?? ZERO))));
  return before.some(({ length }) => length !== components.length) || left.some((part) => part.isNegative())
    ? null
    : left;
}

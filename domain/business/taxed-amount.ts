import { sum } from './decimal';
import type { Decimal } from './decimal';

/** A net amount and its tax. */
export interface TaxedAmount {
  net: Decimal;
  tax: Decimal;
}

export const getGross = ({ net, tax }: TaxedAmount): Decimal => net.plus(tax);

/** The sum with tax. */
export const sumGross = (amounts: readonly TaxedAmount[]): Decimal => sum(amounts.map(getGross));

/** The sums of net amounts and of taxes. */
export const sumTaxedAmounts = (amounts: readonly TaxedAmount[]): TaxedAmount => ({
  net: sum(amounts.map(({ net }) => net)),
  tax: sum(amounts.map(({ tax }) => tax)),
});

import type { DecimalText } from '../decimal';
import { allocateByLargestRemainder, Decimal } from '../decimal';

/** One of several taxes that a rate consists of, such as GST and QST; its percentage is of the net amount. */
export interface TaxComponent {
  name: string;
  percent: DecimalText;
}

/** The amount of one of several taxes in a row of the tax table. */
export interface TaxComponentAmount extends TaxComponent {
  tax: DecimalText;
}

/** Splits an amount of tax by the percentages of its components; the parts add up to it exactly. */
function splitTax(components: readonly TaxComponent[], tax: Decimal, decimals: number): Decimal[] {
  const percents = components.map(({ percent }) => new Decimal(percent));
  const total = percents.reduce((sum, percent) => sum.plus(percent), new Decimal(0));
  const ideals = percents.map((percent) => (total.isZero() ? total : tax.times(percent).div(total)));
  return allocateByLargestRemainder(tax, ideals, decimals);
}

/**
 * Computes the amounts of the components of a row of the tax table.
 * @param before tax of the row that earlier credit notes credited: crediting everything, in any parts, then credits
 * exactly the amounts of the invoice
 */
export function computeTaxComponents(
  components: readonly TaxComponent[],
  tax: Decimal,
  decimals: number,
  before: Decimal = new Decimal(0),
): TaxComponentAmount[] {
  const cumulative = splitTax(components, before.plus(tax), decimals);
  const previous = splitTax(components, before, decimals);
  return components.map(({ name, percent }, index) => ({
    name,
    percent,
    tax: (cumulative[index] ?? new Decimal(0)).minus(previous[index] ?? 0).toFixed(),
  }));
}

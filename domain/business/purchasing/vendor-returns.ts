import { round } from '../decimal';
import type { Decimal } from '../decimal';

/** Amounts of a received line in the currency of its receipt. */
export interface ReceivedLine {
  quantity: Decimal;
  net: Decimal;
  tax: Decimal;
}

/**
 * Net amount and tax of a returned quantity: its share of the received line, rounded cumulatively, so that all returns
 * of a line add up to its amounts.
 * @param before quantity that was returned before
 */
export function computeReturnedAmounts(
  line: ReceivedLine,
  before: Decimal,
  quantity: Decimal,
  decimals: number,
): { net: Decimal; tax: Decimal } {
  const share = (amount: Decimal, of: Decimal): Decimal => round(amount.times(of).div(line.quantity), decimals);
  const until = before.plus(quantity);
  return {
    net: share(line.net, until).minus(share(line.net, before)),
    tax: share(line.tax, until).minus(share(line.tax, before)),
  };
}

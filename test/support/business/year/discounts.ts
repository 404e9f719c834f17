import type { Lane } from './lane';
import type { Currency } from './money';

/** The discounted amounts of the open invoices of a customer. */
function listDiscounted(lane: Lane, partyId: number, currency: Currency): bigint[] {
  const own = lane.invoices.filter(({ item }) => item.partyId === partyId && item.currency === currency);
  return own.flatMap(({ item, discount }) => (discount === null ? [] : [item.open - discount.amount]));
}

/** Changes an amount that would take a discount by itself. */
export function avoidDiscounts(lane: Lane, partyId: number, currency: Currency, amount: bigint): bigint {
  const discounted = new Set(listDiscounted(lane, partyId, currency));
  let changed = amount;
  while (discounted.has(changed)) changed += 1n;
  return changed;
}

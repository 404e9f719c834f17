import type { Lane } from './lane';
import { computeUnitCost, computeCost, COST_PLACES, unitsToNumber, QUANTITY_PLACES } from './money';

/** Rate of the base currency to itself, in 10^-RATE_PLACES. */
const ONE = 1_000_000n;

/** Adjusts stock up or down, or by a count. */
export async function adjust(lane: Lane): Promise<boolean> {
  const { chance, market } = lane;
  const shelf = chance.pick(lane.shelves);
  const warehouseId = chance.pick(market.warehouseIds);
  if (shelf === undefined || warehouseId === undefined) return false;
  const held = shelf.getQuantity(warehouseId);
  const change = BigInt(chance.between(-4, 20)) * 500_000n;
  const available = shelf.getAvailable(warehouseId);
  const delta = available + change < 0n ? -available : change;
  if (delta === 0n) return false;
  // Without a value of the stock there is no average, so that the cost is required.
  const average = computeUnitCost(shelf.value, shelf.quantity);
  const costed = delta > 0n && (chance.nextBoolean(0.7) || average === 0n);
  const cost = costed ? BigInt(chance.between(1, 50_000)) * 1000n : undefined;
  const counted = chance.nextBoolean(0.4);
  const line = {
    productId: shelf.productId,
    ...(counted
      ? { countedQuantity: unitsToNumber(held + delta, QUANTITY_PLACES) }
      : { quantityDelta: unitsToNumber(delta, QUANTITY_PLACES) }),
    ...(cost === undefined ? {} : { unitCost: unitsToNumber(cost, COST_PLACES) }),
  };
  const json = { warehouseId, reason: 'Stock-taking', lines: [line] };
  const data = await lane.create('/api/inventory/adjustments', json, 'adjustment');
  const before = shelf.value;
  if (delta < 0n) shelf.issue(warehouseId, -delta);
  else shelf.receive(warehouseId, delta, computeCost(delta, cost ?? average, ONE));
  const [postedLine] = data['lines'] as { value: number }[];
  lane.expectAmount('value of an adjustment', shelf.value - before, postedLine?.value);
  return true;
}

/** Moves goods to another warehouse. @returns false if half a unit of the chosen product is nowhere available */
export async function transfer(lane: Lane): Promise<boolean> {
  const { chance, market } = lane;
  const shelf = chance.pick(lane.shelves);
  const from = shelf && chance.pick(shelf.listWarehousesWith(500_000n));
  const to = chance.pick(market.warehouseIds.filter((id) => id !== from));
  if (shelf === undefined || from === undefined || to === undefined) return false;
  const quantity = 500_000n * BigInt(chance.between(1, Number(shelf.getAvailable(from) / 500_000n)));
  const lines = [{ productId: shelf.productId, quantity: unitsToNumber(quantity, QUANTITY_PLACES) }];
  await lane.create('/api/inventory/transfers', { fromWarehouseId: from, toWarehouseId: to, lines }, 'transfer');
  shelf.transfer(from, to, quantity);
  return true;
}

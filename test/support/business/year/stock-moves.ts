import type { Lane } from './lane';
import { average, costOf, COST_PLACES, number, QUANTITY_PLACES } from './money';

/** Rate of the base currency to itself, in 10^-RATE_PLACES. */
const ONE = 1_000_000n;

/** Finds, loses or counts units. */
export async function adjust(lane: Lane): Promise<boolean> {
  const { chance, market } = lane;
  const shelf = chance.pick(lane.shelves);
  const warehouseId = chance.pick(market.warehouseIds);
  if (shelf === undefined || warehouseId === undefined) return false;
  const held = shelf.in(warehouseId);
  const change = BigInt(chance.between(-4, 20)) * 500_000n;
  const delta = held + change < 0n ? -held : change;
  if (delta === 0n) return false;
  const cost = delta > 0n && chance.chance(0.7) ? BigInt(chance.between(1, 50_000)) * 1000n : undefined;
  const counted = chance.chance(0.4);
  const line = {
    productId: shelf.productId,
    ...(counted
      ? { countedQuantity: number(held + delta, QUANTITY_PLACES) }
      : { quantityDelta: number(delta, QUANTITY_PLACES) }),
    ...(cost === undefined ? {} : { unitCost: number(cost, COST_PLACES) }),
  };
  const json = { warehouseId, reason: 'Stock-taking', lines: [line] };
  const data = await lane.make('/api/inventory/adjustments', json, 'adjustment');
  const before = shelf.value;
  if (delta < 0n) shelf.issue(warehouseId, -delta);
  else shelf.receive(warehouseId, delta, costOf(delta, cost ?? average(shelf.value, shelf.quantity), ONE));
  const [told] = data['lines'] as { value: number }[];
  lane.agree('value of an adjustment', shelf.value - before, told?.value);
  return true;
}

export async function transfer(lane: Lane): Promise<boolean> {
  const { chance, market } = lane;
  const shelf = chance.pick(lane.shelves);
  const from = shelf && chance.pick(shelf.having(500_000n));
  const to = chance.pick(market.warehouseIds.filter((id) => id !== from));
  if (shelf === undefined || from === undefined || to === undefined) return false;
  const quantity = 500_000n * BigInt(chance.between(1, Number(shelf.in(from) / 500_000n)));
  const lines = [{ productId: shelf.productId, quantity: number(quantity, QUANTITY_PLACES) }];
  await lane.make('/api/inventory/transfers', { fromWarehouseId: from, toWarehouseId: to, lines }, 'transfer');
  shelf.transfer(from, to, quantity);
  return true;
}

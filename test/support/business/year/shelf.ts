import { divideRounded } from './money';

/** What left for one line of an invoice, and what of it came back. */
export interface ShippedLine {
  lineId: number;
  productId: number;
  warehouseId: number;
  quantity: bigint;
  value: bigint;
  backQuantity: bigint;
  backValue: bigint;
}

/** One product, kept by hand beside the service: units by warehouse, units and value together. */
export class Shelf {
  quantity = 0n;
  value = 0n;
  private readonly warehouses = new Map<number, bigint>();

  constructor(readonly productId: number) {}

  getQuantity(warehouseId: number): bigint {
    return this.warehouses.get(warehouseId) ?? 0n;
  }

  /** Warehouses with at least so many units. */
  listWarehousesWith(quantity: bigint): number[] {
    return [...this.warehouses].filter(([, held]) => held >= quantity).map(([id]) => id);
  }

  receive(warehouseId: number, quantity: bigint, value: bigint): void {
    this.warehouses.set(warehouseId, this.getQuantity(warehouseId) + quantity);
    this.quantity += quantity;
    this.value += value;
  }

  /** @returns the value that leaves: the last unit takes the rest */
  issue(warehouseId: number, quantity: bigint): bigint {
    if (quantity > this.getQuantity(warehouseId)) throw new Error(`product ${this.productId} is short`);
    const value = quantity === this.quantity ? this.value : divideRounded(this.value * quantity, this.quantity);
    this.receive(warehouseId, -quantity, -value);
    return value;
  }

  transfer(from: number, to: number, quantity: bigint): void {
    this.receive(from, -quantity, 0n);
    this.receive(to, quantity, 0n);
  }

  /** Units of an invoice line come back at the cost they left with, by cumulative shares. */
  restock(left: ShippedLine, quantity: bigint): void {
    const totalReturned = left.backQuantity + quantity;
    const due = totalReturned === left.quantity ? left.value : divideRounded(left.value * totalReturned, left.quantity);
    this.receive(left.warehouseId, quantity, due - left.backValue);
    left.backQuantity = totalReturned;
    left.backValue = due;
  }
}

import { divideRounded } from './money';

/** Units and value that left for one invoice line, and those returned. */
export interface ShippedLine {
  lineId: number;
  productId: number;
  warehouseId: number;
  quantity: bigint;
  value: bigint;
  backQuantity: bigint;
  backValue: bigint;
}

/** The test's own stock of one product: units by warehouse, total units and value. */
export class Shelf {
  quantity = 0n;
  value = 0n;
  private readonly warehouses = new Map<number, bigint>();
  private readonly reserved = new Map<number, bigint>();

  constructor(readonly productId: number) {}

  /** Units on hand, reserved ones among them, in 10^-QUANTITY_PLACES. */
  getQuantity(warehouseId: number): bigint {
    return this.warehouses.get(warehouseId) ?? 0n;
  }

  /** Units that orders have reserved. */
  getReserved(warehouseId: number): bigint {
    return this.reserved.get(warehouseId) ?? 0n;
  }

  /** Units on hand that no order has reserved. */
  getAvailable(warehouseId: number): bigint {
    return this.getQuantity(warehouseId) - this.getReserved(warehouseId);
  }

  /** Warehouses with at least a number of available units. */
  listWarehousesWith(quantity: bigint): number[] {
    return [...this.warehouses.keys()].filter((id) => this.getAvailable(id) >= quantity);
  }

  /** Reserves units for an order; a negative number releases them. */
  reserve(warehouseId: number, quantity: bigint): void {
    if (quantity > this.getAvailable(warehouseId)) throw new Error(`product ${this.productId} is short`);
    this.reserved.set(warehouseId, this.getReserved(warehouseId) + quantity);
  }

  /** @param value in units of the base currency; may be negative, as the quantity */
  receive(warehouseId: number, quantity: bigint, value: bigint): void {
    this.warehouses.set(warehouseId, this.getQuantity(warehouseId) + quantity);
    this.quantity += quantity;
    this.value += value;
  }

  /** @returns the value that leaves; the last unit takes the remainder */
  issue(warehouseId: number, quantity: bigint): bigint {
    if (quantity > this.getAvailable(warehouseId)) throw new Error(`product ${this.productId} is short`);
    const value = quantity === this.quantity ? this.value : divideRounded(this.value * quantity, this.quantity);
    this.receive(warehouseId, -quantity, -value);
    return value;
  }

  /** Moves units at no change of value. */
  transfer(from: number, to: number, quantity: bigint): void {
    this.receive(from, -quantity, 0n);
    this.receive(to, quantity, 0n);
  }

  /** Returns units of an invoice line at the cost they left with, by cumulative shares. */
  restock(left: ShippedLine, quantity: bigint): void {
    const totalReturned = left.backQuantity + quantity;
    const due = totalReturned === left.quantity ? left.value : divideRounded(left.value * totalReturned, left.quantity);
    this.receive(left.warehouseId, quantity, due - left.backValue);
    left.backQuantity = totalReturned;
    left.backValue = due;
  }
}

import { Decimal } from '../decimal';

/** draft → ordered → partially_received → received; every status other than received can change to cancelled. */
export const ORDER_STATUSES = ['draft', 'ordered', 'partially_received', 'received', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The quantities of a line. */
export interface OrderedLine {
  quantity: Decimal;
  received: Decimal;
}

/** What is kept of a line: returned goods may be replaced. */
interface KeptLine extends OrderedLine {
  returned: Decimal;
}

/** The status of an order of which something has been received. Returns do not change it. */
export const computeReceivedStatus = (lines: readonly OrderedLine[]): OrderStatus =>
  lines.every(({ quantity, received }) => received.gte(quantity)) ? 'received' : 'partially_received';

/** The quantity of a line that has not been received, or was returned since; negative if more than was ordered came. */
export const computeOutstandingQuantity = ({ quantity, received, returned }: KeptLine): Decimal =>
  quantity.minus(received).plus(returned);

/**
 * The maximum quantity of a line that can still be received.
 * @param tolerancePercent percentage by which receipts may exceed the ordered quantity
 */
export const computeReceivableQuantity = (line: KeptLine, tolerancePercent: Decimal): Decimal =>
  Decimal.max(computeOutstandingQuantity(line).plus(line.quantity.times(tolerancePercent).div(100)), 0);

import { Decimal } from '../decimal';

/** draft → ordered → partially_received → received; every status other than received can change to cancelled. */
export const ORDER_STATUSES = ['draft', 'ordered', 'partially_received', 'received', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The quantities of a line. */
export interface OrderedLine {
  quantity: Decimal;
  received: Decimal;
}

/** The status of an order of which something has been received. */
export const computeReceivedStatus = (lines: readonly OrderedLine[]): OrderStatus =>
  lines.every(({ quantity, received }) => received.gte(quantity)) ? 'received' : 'partially_received';

/**
 * The maximum quantity of a line that can still be received.
 * @param tolerancePercent percentage by which receipts may exceed the ordered quantity
 */
export const computeReceivableQuantity = ({ quantity, received }: OrderedLine, tolerancePercent: Decimal): Decimal =>
  Decimal.max(quantity.times(tolerancePercent.plus(100)).div(100).minus(received), 0);

import { Decimal } from '../decimal';

/** draft → ordered → partially_received → received; cancelled from any that is not received whole. */
export const ORDER_STATUSES = ['draft', 'ordered', 'partially_received', 'received', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** A line's quantities. */
export interface OrderedLine {
  quantity: Decimal;
  received: Decimal;
}

/** What an order's status is once something was received. */
export const computeReceivedStatus = (lines: readonly OrderedLine[]): OrderStatus =>
  lines.every(({ quantity, received }) => received.gte(quantity)) ? 'received' : 'partially_received';

/**
 * The most that may still be received of a line.
 * @param tolerancePercent how far beyond what was ordered a delivery may go
 */
export const computeReceivableQuantity = ({ quantity, received }: OrderedLine, tolerancePercent: Decimal): Decimal =>
  Decimal.max(quantity.times(tolerancePercent.plus(100)).div(100).minus(received), 0);

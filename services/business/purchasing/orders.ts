import { Types } from 'mongoose';
import type { OrderStatus } from '../../../domain/business/purchasing/purchasing';
import { searchTokens } from '../../../domain/business/search-tokens';
import { conflict } from '../../../domain/errors';
import { fromStored } from '../../../models/business/decimal128';
import { PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import type { PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { daysOf, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, sentOf, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';
import { prepareOrder } from './order-preparation';
import type { OrderInput, OrderLineInput, PreparedOrder } from './order-preparation';

export const ORDER_KIND: RecordKind<PurchaseOrderRecord> = {
  model: PurchaseOrder,
  name: 'purchase_order',
  counter: 'purchase-orders',
  unique: null,
  where: (key) => key,
};

const tokensOf = (number: string, { vendorName, reference }: PreparedOrder): string[] =>
  searchTokens([number, vendorName, reference]);

function orderOf(prepared: PreparedOrder, id: number, now: Date): PurchaseOrderRecord {
  const number = `PO-${String(id).padStart(6, '0')}`;
  const tokens = tokensOf(number, prepared);
  return { ...prepared, _id: new Types.ObjectId(), id, number, tokens, version: 1, createdAt: now, updatedAt: now };
}

/** Places an order, or keeps it as a draft. @throws AppError 400 naming every field that is wrong */
export async function createOrder(
  platform: Platform,
  caller: BusinessCaller,
  input: OrderInput,
  use: IdempotentUse | undefined,
): Promise<PurchaseOrderRecord> {
  const prepared = await prepareOrder(platform, caller, input);
  return createRecord(platform, caller, ORDER_KIND, use, (id, now) => orderOf(prepared, id, now));
}

/** What `createOrder` would make, with the same refusals; writes nothing. */
export const trialOrder = async (
  platform: Platform,
  caller: BusinessCaller,
  input: OrderInput,
): Promise<PurchaseOrderRecord> => orderOf(await prepareOrder(platform, caller, input), 0, platform.clock.now());

export const getOrder = (caller: BusinessCaller, id: number): Promise<PurchaseOrderRecord> =>
  getRecord(caller, ORDER_KIND, id);

/** What is changed of a draft: undefined leaves it as it is, null takes it away. */
export interface OrderChanges {
  vendorId?: number | undefined;
  orderDate?: string | undefined;
  expectedDate?: string | null | undefined;
  currencyCode?: string | undefined;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  /** All lines of the order. */
  lines?: OrderLineInput[] | undefined;
}

const changed = <T>(now: T | null, change: T | null | undefined): T | undefined =>
  (change === undefined ? now : change) ?? undefined;

/** A draft as it would be asked for, with what is changed of it. */
const inputOf = (order: PurchaseOrderRecord, changes: OrderChanges): OrderInput => ({
  draft: true,
  vendorId: changes.vendorId ?? order.vendorId,
  orderDate: changes.orderDate ?? order.orderDate,
  expectedDate: changed(order.expectedDate, changes.expectedDate),
  currencyCode: changes.currencyCode ?? order.currencyCode,
  reference: changed(order.reference, changes.reference),
  notes: changed(order.notes, changes.notes),
  lines:
    changes.lines ??
    order.lines.map(({ productId, description, quantity, unitCost, taxRateId, warehouseId }) => ({
      productId,
      description,
      quantity: fromStored(quantity),
      unitCost: fromStored(unitCost),
      taxRateId,
      warehouseId: warehouseId ?? undefined,
    })),
});

/** What is done instead of changing an order that was placed. */
const WAYS_OUT: Readonly<Record<Exclude<OrderStatus, 'draft'>, { words: string; routes: readonly string[] }>> = {
  ordered: { words: 'cancel it and create another', routes: ['POST /api/purchase-orders/:id/cancel'] },
  partially_received: {
    words: 'cancel what is left of it and create another',
    routes: ['POST /api/purchase-orders/:id/cancel'],
  },
  received: { words: 'create another', routes: [] },
  cancelled: { words: 'create another', routes: [] },
};

/** @throws AppError 409 `order_already_placed` naming the way out */
export function requireOrderDraft({ id, number, status }: PurchaseOrderRecord): void {
  if (status === 'draft') return;
  const { words, routes } = WAYS_OUT[status];
  throw conflict('order_already_placed', `Order ${number} is ${status} and cannot change; ${words}.`, {
    orderId: id,
    number,
    status,
    routes: [...routes, 'POST /api/purchase-orders'],
  });
}

/**
 * Changes a draft and works it out again.
 * @throws AppError 400 naming every field that is wrong; 404; 409 `order_already_placed`; 412
 */
export const updateOrder = (
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  changes: OrderChanges,
): Promise<PurchaseOrderRecord> =>
  updateRecord(platform, caller, ORDER_KIND, at, { fields: Object.keys(sentOf(changes)) }, async (order, now) => {
    requireOrderDraft(order);
    const prepared = await prepareOrder(platform, caller, inputOf(order, changes));
    const { createdBy, number } = order;
    return { ...order, ...prepared, createdBy, tokens: tokensOf(number, prepared), updatedAt: now };
  });

/** Places a draft. @throws AppError 404; 409 `invalid_transition` */
export const placeOrder = (platform: Platform, caller: BusinessCaller, id: number): Promise<PurchaseOrderRecord> => {
  const entry = { fields: ['status'], action: 'purchase_order.placed' };
  return updateRecord(platform, caller, ORDER_KIND, { id, ifMatch: undefined }, entry, (order, now) => {
    if (order.status !== 'draft') throw refusedMove(order, 'ordered', ['draft']);
    return { ...order, status: 'ordered', updatedAt: now };
  });
};

/**
 * Cancels an order, or what is left of one that came in part.
 * @throws AppError 404; 409 `invalid_transition`
 */
export const cancelOrder = (
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  reason: string,
): Promise<PurchaseOrderRecord> => {
  const entry = { fields: ['status'], action: 'purchase_order.cancelled', reason };
  return updateRecord(platform, caller, ORDER_KIND, { id, ifMatch: undefined }, entry, (order, now) => {
    if (order.status === 'received' || order.status === 'cancelled')
      throw refusedMove(order, 'cancelled', ['draft', 'ordered', 'partially_received']);
    return { ...order, status: 'cancelled', cancelReason: reason, updatedAt: now };
  });
};

export const refusedMove = (order: PurchaseOrderRecord, to: OrderStatus, from: readonly OrderStatus[]) =>
  conflict('invalid_transition', `The order is ${order.status}; ${to} is possible from ${from.join(', ')}.`, {
    status: order.status,
    allowedFrom: from,
  });

export const ORDER_SORT_FIELDS = ['id', 'orderDate'] as const;

export interface OrderFilter {
  status?: OrderStatus | undefined;
  vendorId?: number | undefined;
  /** Inclusive order dates. */
  from?: string | undefined;
  to?: string | undefined;
}

/** One page of orders with the exact total. */
export function listOrders(
  caller: BusinessCaller,
  { status, vendorId, from, to }: OrderFilter,
  query: ListQuery,
): Promise<ListPage<PurchaseOrderRecord>> {
  const orderDate = daysOf({ from, to });
  const filter = {
    organisationId: caller.organisationId,
    ...(status === undefined ? {} : { status }),
    ...(vendorId === undefined ? {} : { vendorId }),
    ...(orderDate === null ? {} : { orderDate }),
  };
  return readPage(PurchaseOrder, filter, query);
}

import { Types } from 'mongoose';
import type { OrderStatus } from '../../../domain/business/purchasing/purchasing';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { invalidOrderTransitionError } from '../../../domain/business/orders/order-transitions';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import type { PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';
import { getRecord, omitUndefined, prepareAndCreateRecord, resolveChange, updateRecord } from '../records/records';
import type { RecordReference, RecordKind } from '../records/records';
import { recordTaxRateUses, withCurrentTaxRates } from '../settings/tax-rate-uses';
import { dropDefaultTaxRates, prepareOrder } from './order-preparation';
import type { OrderFields, PurchaseOrderInput, OrderLineChange, PreparedOrder } from './order-preparation';

export const PURCHASE_ORDER_KIND: RecordKind<PurchaseOrderRecord> = {
  model: PurchaseOrder,
  name: 'purchase_order',
  counter: 'purchase-orders',
  unique: null,
  where: (key) => key,
};

const buildOrderTokens = (number: string, { vendorName, reference }: OrderFields): string[] =>
  buildSearchTokens([number, vendorName, reference]);

function buildOrder(fields: OrderFields, id: number, now: Date): PurchaseOrderRecord {
  const number = `PO-${String(id).padStart(6, '0')}`;
  const tokens = buildOrderTokens(number, fields);
  return { ...fields, _id: new Types.ObjectId(), id, number, tokens, version: 1, createdAt: now, updatedAt: now };
}

/** Creates an order, placed or as a draft. @throws AppError 400 naming every wrong field */
export const createOrder = (
  platform: Platform,
  caller: BusinessCaller,
  input: PurchaseOrderInput,
  use: IdempotentUse | undefined,
): Promise<PurchaseOrderRecord> =>
  withCurrentTaxRates(() => {
    let taxRates: PreparedOrder['taxRates'] = [];
    return prepareAndCreateRecord(
      platform,
      caller,
      PURCHASE_ORDER_KIND,
      use,
      async () => {
        const prepared = await prepareOrder(platform, caller, input);
        taxRates = prepared.taxRates;
        return (id, now) => buildOrder(prepared.fields, id, now);
      },
      (unit) => recordTaxRateUses(unit, caller.organisationId, taxRates),
    );
  });

/** The order that `createOrder` would create, with the same errors; writes nothing. */
export const dryRunOrder = async (
  platform: Platform,
  caller: BusinessCaller,
  input: PurchaseOrderInput,
): Promise<PurchaseOrderRecord> => {
  const { fields } = await prepareOrder(platform, caller, input);
  return buildOrder(fields, 0, platform.clock.now());
};

/** @throws AppError 404, also for the id of another organisation */
export const getOrder = (caller: BusinessCaller, id: number): Promise<PurchaseOrderRecord> =>
  getRecord(caller, PURCHASE_ORDER_KIND, id);

/** The changes of a draft: undefined leaves a field as it is, null removes its value or restores its default. */
export interface OrderChanges {
  vendorId?: number | undefined;
  orderDate?: string | null | undefined;
  expectedDate?: string | null | undefined;
  currencyCode?: string | null | undefined;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  /** All lines of the order; `lineId` names an existing one. */
  lines?: OrderLineChange[] | undefined;
}

/** The lines of an order as they would be sent. */
const toLineInputs = ({ lines }: PurchaseOrderRecord): OrderLineChange[] =>
  lines.map(({ lineId, productId, description, quantity, unitCost, taxRateId, warehouseId }) => ({
    lineId,
    productId,
    description,
    quantity: fromDecimal128(quantity),
    unitCost: fromDecimal128(unitCost),
    taxRateId,
    warehouseId: warehouseId ?? undefined,
  }));

/** The input that would create the draft with its changes. */
const buildOrderInput = (
  order: PurchaseOrderRecord,
  changes: OrderChanges,
  { vendorId, lines }: Pick<PurchaseOrderInput, 'vendorId' | 'lines'>,
): PurchaseOrderInput => ({
  draft: true,
  vendorId,
  orderDate: resolveChange(order.orderDate, changes.orderDate),
  expectedDate: resolveChange(order.expectedDate, changes.expectedDate),
  currencyCode: resolveChange(order.currencyCode, changes.currencyCode),
  reference: resolveChange(order.reference, changes.reference),
  notes: resolveChange(order.notes, changes.notes),
  lines,
});

/** How to change an order that has been placed, by status. */
const PLACED_ORDER_ALTERNATIVES: Readonly<
  Record<Exclude<OrderStatus, 'draft'>, { words: string; routes: readonly string[] }>
> = {
  ordered: {
    words: ' except its expectedDate; cancel it and create another',
    routes: ['POST /api/purchase-orders/:id/cancel'],
  },
  partially_received: {
    words: ' except its expectedDate; cancel its remaining quantities and create another',
    routes: ['POST /api/purchase-orders/:id/cancel'],
  },
  received: { words: '; create another', routes: [] },
  cancelled: { words: '; create another', routes: [] },
};

/** @throws AppError 409 `order_already_placed` with the alternative */
function requireOrderDraft({ id, number, status }: PurchaseOrderRecord): void {
  if (status === 'draft') return;
  const { words, routes } = PLACED_ORDER_ALTERNATIVES[status];
  throw conflictError('order_already_placed', `Order ${number} is ${status} and cannot change${words}.`, {
    orderId: id,
    number,
    status,
    routes: [...routes, 'POST /api/purchase-orders'],
  });
}

/** Whether goods of an order are still expected, so that the day on which they are can change. */
const isAwaited = ({ status }: PurchaseOrderRecord): boolean => status === 'ordered' || status === 'partially_received';

/**
 * The awaited order with another expected day; null if it stays.
 * @throws AppError 400; 409 `order_already_placed` for changes of other fields
 */
function changeExpectedDate(
  order: PurchaseOrderRecord,
  { lines, expectedDate = order.expectedDate, ...others }: OrderChanges,
  now: Date,
): PurchaseOrderRecord | null {
  const current = new Map<string, unknown>(Object.entries(order));
  const isOtherChange = Object.entries(omitUndefined(others)).some(([field, value]) => value !== current.get(field));
  if (lines !== undefined || isOtherChange) requireOrderDraft(order);
  if (expectedDate === order.expectedDate) return null;
  if (expectedDate !== null && expectedDate < order.orderDate)
    throw invalidFieldError('expectedDate', `must not be before the order, ${order.orderDate}`);
  return { ...order, expectedDate, updatedAt: now };
}

/**
 * Changes a draft and recalculates it, or the expected day of an order that was placed.
 * @throws AppError 400 naming every wrong field; 404; 409 `order_already_placed`; 412
 */
export const updatePurchaseOrder = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  changes: OrderChanges,
): Promise<PurchaseOrderRecord> =>
  withCurrentTaxRates(() =>
    updateRecord(
      platform,
      caller,
      PURCHASE_ORDER_KIND,
      at,
      { fields: Object.keys(omitUndefined(changes)) },
      async (order, now, unit) => {
        if (isAwaited(order)) return changeExpectedDate(order, changes, now);
        requireOrderDraft(order);
        const vendorId = changes.vendorId ?? order.vendorId;
        const sent = changes.lines ?? toLineInputs(order);
        const lines = vendorId === order.vendorId ? sent : await dropDefaultTaxRates(caller, order, sent);
        const input = buildOrderInput(order, changes, { vendorId, lines });
        const { fields, taxRates } = await prepareOrder(platform, caller, input);
        await recordTaxRateUses(unit, caller.organisationId, taxRates);
        const { createdBy, number } = order;
        return { ...order, ...fields, createdBy, tokens: buildOrderTokens(number, fields), updatedAt: now };
      },
    ),
  );

/** Changes the status of an order once per Idempotency-Key. @throws AppError 404; 412; errors of `change` */
const changeOrderStatus = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  entry: { action: string; reason?: string },
  use: IdempotentUse | undefined,
  change: (order: PurchaseOrderRecord) => Partial<PurchaseOrderRecord>,
): Promise<PurchaseOrderRecord> =>
  updateRecord(
    platform,
    caller,
    PURCHASE_ORDER_KIND,
    at,
    { fields: ['status'], ...entry },
    (order, now) => ({ ...order, ...change(order), updatedAt: now }),
    use,
  );

/** Places a draft. @throws AppError 404; 409 `invalid_transition`; 412 if it has changed since */
export const placeOrder = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  use: IdempotentUse | undefined,
): Promise<PurchaseOrderRecord> =>
  changeOrderStatus(platform, caller, at, { action: 'purchase_order.placed' }, use, (order) => {
    if (order.status !== 'draft') throw invalidOrderTransitionError(order, 'ordered', ['draft']);
    return { status: 'ordered' };
  });

/**
 * Cancels an order, or the remaining quantities of a partially received one.
 * @throws AppError 404; 409 `invalid_transition`; 412 if it has changed since
 */
export const cancelOrder = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  reason: string,
  use: IdempotentUse | undefined,
): Promise<PurchaseOrderRecord> =>
  changeOrderStatus(platform, caller, at, { action: 'purchase_order.cancelled', reason }, use, (order) => {
    if (order.status === 'received' || order.status === 'cancelled')
      throw invalidOrderTransitionError(order, 'cancelled', ['draft', 'ordered', 'partially_received']);
    return { status: 'cancelled', cancelReason: reason };
  });

export const PURCHASE_ORDER_SORT_FIELDS = ['id', 'orderDate'] as const;

export interface PurchaseOrderFilter {
  status?: readonly OrderStatus[] | undefined;
  vendorId?: readonly number[] | undefined;
  /** Inclusive order dates. */
  from?: string | undefined;
  to?: string | undefined;
}

/** One page of orders with the exact total. */
export function listOrders(
  caller: BusinessCaller,
  { status, vendorId, from, to }: PurchaseOrderFilter,
  query: ListQuery,
): Promise<ListPage<PurchaseOrderRecord>> {
  const orderDate = buildDayRange({ from, to });
  const filter = {
    organisationId: caller.organisationId,
    ...(status === undefined ? {} : { status: buildChoiceCondition(status) }),
    ...(vendorId === undefined ? {} : { vendorId: buildChoiceCondition(vendorId) }),
    ...(orderDate === null ? {} : { orderDate }),
  };
  return readPage(PurchaseOrder, filter, query);
}

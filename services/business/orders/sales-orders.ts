import { Types } from 'mongoose';
import { invalidOrderTransitionError } from '../../../domain/business/orders/order-transitions';
import type { SalesOrderStatus } from '../../../domain/business/orders/sales-orders';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { SalesOrder } from '../../../models/business/orders/sales-order';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';
import {
  changeRecord,
  getRecord,
  omitUndefined,
  prepareAndCreateRecord,
  resolveChange,
  updateRecord,
} from '../records/records';
import type { RecordReference, RecordKind } from '../records/records';
import type { StockLine } from '../stock/stock-balances';
import { releaseStock, reserveStock } from '../stock/stock-reservations';
import { recordTaxRateUses, withCurrentTaxRates } from '../settings/tax-rate-uses';
import { requireOrderCredit } from './order-credit';
import { dropDefaultTaxRates, prepareSalesOrder } from './sales-order-preparation';
import type {
  PreparedSalesOrder,
  SalesOrderFields,
  SalesOrderInput,
  SalesOrderLineChange,
} from './sales-order-preparation';

export const SALES_ORDER_KIND: RecordKind<SalesOrderRecord> = {
  model: SalesOrder,
  name: 'sales_order',
  counter: 'sales-orders',
  unique: null,
  where: (key) => key,
};

const buildTokens = (number: string, { customerName, reference }: SalesOrderFields): string[] =>
  buildSearchTokens([number, customerName, reference]);

function buildSalesOrder(
  { organisationId, id: createdBy }: BusinessCaller,
  fields: SalesOrderFields,
  id: number,
  now: Date,
): SalesOrderRecord {
  const number = `SO-${String(id).padStart(6, '0')}`;
  return {
    ...fields,
    _id: new Types.ObjectId(),
    organisationId,
    id,
    number,
    status: 'draft',
    cancelReason: null,
    invoiceId: null,
    invoiceNumber: null,
    tokens: buildTokens(number, fields),
    version: 1,
    createdBy,
    createdAt: now,
    updatedAt: now,
  };
}

/** Creates a draft, which reserves nothing. @throws AppError 400 naming every wrong field */
export const createSalesOrder = (request: BusinessRequest, input: SalesOrderInput): Promise<SalesOrderRecord> =>
  withCurrentTaxRates(() => {
    let taxRates: PreparedSalesOrder['taxRates'] = [];
    return prepareAndCreateRecord(
      request.platform,
      request.caller,
      SALES_ORDER_KIND,
      request.use,
      async () => {
        const prepared = await prepareSalesOrder(request.platform, request.caller, input);
        taxRates = prepared.taxRates;
        return (id, now) => buildSalesOrder(request.caller, prepared.fields, id, now);
      },
      (unit) => recordTaxRateUses(unit, request.caller.organisationId, taxRates),
    );
  });

/** Id and number of the order whose invoice it is; null if there is none, such as once the invoice is void. */
export const findOrderOfInvoice = (
  { organisationId }: BusinessCaller,
  invoiceId: number,
): Promise<Pick<SalesOrderRecord, 'id' | 'number'> | null> =>
  SalesOrder.findOne({ organisationId, invoiceId }, { _id: 0, id: 1, number: 1 }).lean<Pick<
    SalesOrderRecord,
    'id' | 'number'
  > | null>();

/** @throws AppError 404, also for the id of another organisation */
export const getSalesOrder = (caller: BusinessCaller, id: number): Promise<SalesOrderRecord> =>
  getRecord(caller, SALES_ORDER_KIND, id);

/** The changes of a draft: undefined leaves a field as it is, null removes its value or restores its default. */
export interface SalesOrderChanges {
  customerId?: number | undefined;
  orderDate?: string | null | undefined;
  currencyCode?: string | null | undefined;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  /** All lines of the order; `lineId` names an existing one. */
  lines?: SalesOrderLineChange[] | undefined;
}

/** The lines of an order as they would be sent. */
export const toLineInputs = ({ lines }: SalesOrderRecord): SalesOrderLineChange[] =>
  lines.map((line) => ({
    lineId: line.lineId,
    productId: line.productId,
    quantity: fromDecimal128(line.quantity),
    unitPrice: fromDecimal128(line.unitPrice),
    description: line.description,
    unit: line.unit,
    discountPercent: fromDecimal128(line.discountPercent),
    taxRateId: line.taxRateId,
    priceIncludesTax: line.priceIncludesTax,
    warehouseId: line.warehouseId ?? undefined,
  }));

/** @throws AppError 409 `order_already_confirmed` with the alternative */
export function requireSalesOrderDraft({ id, number, status }: SalesOrderRecord): void {
  if (status === 'draft') return;
  throw conflictError(
    'order_already_confirmed',
    `Order ${number} is ${status} and cannot change; cancel it and create another.`,
    { orderId: id, status, routes: ['POST /api/sales-orders/:id/cancel'] },
  );
}

/**
 * Changes a draft and computes it again.
 * @throws AppError 400 naming every wrong field; 404; 409 `order_already_confirmed`; 412
 */
export const updateSalesOrder = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  changes: SalesOrderChanges,
): Promise<SalesOrderRecord> =>
  withCurrentTaxRates(() =>
    updateRecord(
      platform,
      caller,
      SALES_ORDER_KIND,
      at,
      { fields: Object.keys(omitUndefined(changes)) },
      async (order, now, unit) => {
        requireSalesOrderDraft(order);
        const customerId = changes.customerId ?? order.customerId;
        const lines = changes.lines ?? toLineInputs(order);
        const { fields, taxRates } = await prepareSalesOrder(platform, caller, {
          customerId,
          orderDate: resolveChange(order.orderDate, changes.orderDate),
          currencyCode: resolveChange(order.currencyCode, changes.currencyCode),
          reference: resolveChange(order.reference, changes.reference),
          notes: resolveChange(order.notes, changes.notes),
          lines: customerId === order.customerId ? lines : await dropDefaultTaxRates(platform, caller, order, lines),
        });
        await recordTaxRateUses(unit, caller.organisationId, taxRates);
        return { ...order, ...fields, tokens: buildTokens(order.number, fields), updatedAt: now };
      },
    ),
  );

/** The goods that an order reserves. */
export const listReservedLines = ({ lines }: SalesOrderRecord): StockLine[] =>
  lines.flatMap((line, index) =>
    line.warehouseId === null
      ? []
      : [
          {
            lineId: line.lineId,
            field: `lines[${index}].quantity`,
            productId: line.productId,
            productCode: line.productCode,
            productName: line.description,
            warehouseId: line.warehouseId,
            quantity: fromDecimal128(line.quantity),
          },
        ],
  );

/**
 * Changes the status of an order with its effects on stock, once per Idempotency-Key. Postings change the same balances:
 * under their lock, fewer transactions conflict.
 */
const changeStatus = (
  request: BusinessRequest,
  at: RecordReference,
  entry: { action: string; reason?: string },
  change: (order: SalesOrderRecord, unit: UnitOfWork) => Promise<Partial<SalesOrderRecord>>,
): Promise<SalesOrderRecord> =>
  postIdempotently(
    request,
    (post) =>
      post(async (unit) => {
        const audited = { fields: ['status'], ...entry };
        const result = await changeRecord(unit, request.caller, SALES_ORDER_KIND, at, audited, async (order, now) => ({
          ...order,
          ...(await change(order, unit)),
          updatedAt: now,
        }));
        return { id: at.id, status: 200, result };
      }),
    () => getSalesOrder(request.caller, at.id),
  );

/**
 * Confirms a draft and reserves its goods: all of them, or none.
 * @throws AppError 404; 409 `invalid_transition`, `credit_limit_exceeded`, `insufficient_stock` with what is available; 412 if it has changed since
 */
export const confirmSalesOrder = (request: BusinessRequest, at: RecordReference): Promise<SalesOrderRecord> =>
  changeStatus(request, at, { action: 'sales_order.confirmed' }, async (order, unit) => {
    if (order.status !== 'draft') throw invalidOrderTransitionError(order, 'confirmed', ['draft']);
    await requireOrderCredit(unit, request.caller, order);
    await reserveStock(unit, request.caller.organisationId, listReservedLines(order));
    return { status: 'confirmed' };
  });

/**
 * Cancels a draft, or a confirmed order, whose goods are available again.
 * @throws AppError 404; 409 `invalid_transition`; 412 if it has changed since
 */
export const cancelSalesOrder = (
  request: BusinessRequest,
  at: RecordReference,
  reason: string,
): Promise<SalesOrderRecord> =>
  changeStatus(request, at, { action: 'sales_order.cancelled', reason }, async (order, unit) => {
    if (order.status !== 'draft' && order.status !== 'confirmed')
      throw invalidOrderTransitionError(order, 'cancelled', ['draft', 'confirmed']);
    if (order.status === 'confirmed') await releaseStock(unit, request.caller.organisationId, listReservedLines(order));
    return { status: 'cancelled', cancelReason: reason };
  });

export const SALES_ORDER_SORT_FIELDS = ['id', 'orderDate'] as const;

export interface SalesOrderFilter {
  status?: readonly SalesOrderStatus[] | undefined;
  customerId?: readonly number[] | undefined;
  /** Inclusive order dates. */
  from?: string | undefined;
  to?: string | undefined;
}

/** One page of orders with the exact total. */
export function listSalesOrders(
  caller: BusinessCaller,
  { status, customerId, from, to }: SalesOrderFilter,
  query: ListQuery,
): Promise<ListPage<SalesOrderRecord>> {
  const orderDate = buildDayRange({ from, to });
  const filter = {
    organisationId: caller.organisationId,
    ...(status === undefined ? {} : { status: buildChoiceCondition(status) }),
    ...(customerId === undefined ? {} : { customerId: buildChoiceCondition(customerId) }),
    ...(orderDate === null ? {} : { orderDate }),
  };
  return readPage(SalesOrder, filter, query);
}

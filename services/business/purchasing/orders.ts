import { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { exceedsLimit } from '../../../domain/business/invoice-calculation';
import type { OrderStatus } from '../../../domain/business/purchasing';
import { searchTokens } from '../../../domain/business/search-tokens';
import { conflict, invalid } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { toStored } from '../../../models/business/decimal128';
import { PurchaseOrder } from '../../../models/business/purchase-order';
import type { PurchaseOrderLine, PurchaseOrderRecord } from '../../../models/business/purchase-order';
import { Vendor } from '../../../models/business/vendor';
import type { VendorRecord } from '../../../models/business/vendor';
import type { IdempotentUse } from '../../platform/idempotency';
import type { Platform } from '../../platform/platform';
import { companyToday } from '../company';
import type { BusinessCaller } from '../caller';
import { daysOf, readPage } from '../lists';
import type { ListPage, ListQuery } from '../lists';
import { createRecord, getRecord, updateRecord } from '../records';
import type { RecordKind } from '../records';
import { activeLineTaxRate, calculateBought, readCatalogue } from './lines';
import type { BoughtLine, Catalogue } from './lines';

export interface OrderLineInput {
  productId: number;
  quantity: Decimal;
  /** Before tax, in the order's currency. */
  unitCost: Decimal;
  description?: string | undefined;
  taxRateId?: number | undefined;
  warehouseId?: number | undefined;
}

export interface OrderInput {
  vendorId: number;
  draft?: boolean | undefined;
  orderDate?: string | undefined;
  expectedDate?: string | undefined;
  currencyCode?: string | undefined;
  reference?: string | undefined;
  notes?: string | undefined;
  lines: OrderLineInput[];
}

export const ORDER_KIND: RecordKind<PurchaseOrderRecord> = {
  model: PurchaseOrder,
  name: 'purchase_order',
  counter: 'purchase-orders',
  unique: null,
  where: (key) => key,
};

type Prepared = Omit<PurchaseOrderRecord, '_id' | 'id' | 'number' | 'tokens' | 'version' | 'createdAt' | 'updatedAt'>;

function prepareLine(
  caller: BusinessCaller,
  catalogue: Catalogue,
  line: OrderLineInput,
  index: number,
  date: string,
  problems: FieldProblem[],
): { line: PurchaseOrderLine; bought: BoughtLine } | null {
  const field = `lines[${index}]`;
  const product = catalogue.products.get(line.productId);
  if (product?.active !== true) {
    problems.push({ field: `${field}.productId`, problem: 'is not an active product of the company' });
    return null;
  }
  const taxRate = activeLineTaxRate(caller, catalogue, { taxRateId: line.taxRateId, product, date, field }, problems);
  const warehouseId = product.type === 'service' ? null : (line.warehouseId ?? caller.company.defaultWarehouseId);
  if (warehouseId !== null && !catalogue.warehouseIds.has(warehouseId))
    problems.push({ field: `${field}.warehouseId`, problem: 'is not an active warehouse of the company' });
  if (taxRate === null) return null;
  const { quantity, unitCost } = line;
  return {
    bought: { quantity, unitCost, taxRate },
    line: {
      lineId: index + 1,
      productId: product.id,
      productCode: product.code,
      description: line.description ?? product.name,
      unit: product.unit,
      quantity: toStored(quantity),
      unitCost: toStored(unitCost),
      taxRateId: taxRate.id,
      warehouseId,
      received: toStored(ZERO),
    },
  };
}

/** Reads and checks what an order names and computes it. @throws AppError 400 naming every field that is wrong */
async function prepareOrder(platform: Platform, caller: BusinessCaller, input: OrderInput): Promise<Prepared> {
  const { organisationId, company } = caller;
  const problems: FieldProblem[] = [];
  const orderDate = input.orderDate ?? companyToday(platform, caller);
  const [vendor, catalogue] = await Promise.all([
    Vendor.findOne({ organisationId, id: input.vendorId, active: true }).lean<VendorRecord>(),
    readCatalogue(
      caller,
      input.lines.map(({ productId }) => productId),
    ),
  ]);
  if (vendor === null) problems.push({ field: 'vendorId', problem: 'is not an active vendor of the company' });
  if (input.expectedDate !== undefined && input.expectedDate < orderDate)
    problems.push({ field: 'expectedDate', problem: `must not be before the order, ${orderDate}` });
  const lines = input.lines
    .map((line, index) => prepareLine(caller, catalogue, line, index, orderDate, problems))
    .filter((line) => line !== null);
  if (problems.length > 0 || vendor === null) throw invalid(problems);
  const currencyCode = input.currencyCode ?? vendor.currencyCode ?? company.baseCurrencyCode;
  const calculation = calculateBought(
    caller,
    lines.map(({ bought }) => bought),
    currencyCode,
  );
  if (exceedsLimit(calculation)) throw invalid([{ field: 'lines', problem: 'add up to more than an amount may be' }]);
  return {
    organisationId,
    status: input.draft === true ? 'draft' : 'ordered',
    vendorId: vendor.id,
    vendorName: vendor.name,
    orderDate,
    expectedDate: input.expectedDate ?? null,
    currencyCode,
    reference: input.reference ?? null,
    notes: input.notes ?? null,
    lines: lines.map(({ line }) => line),
    total: toStored(calculation.total),
    taxTotal: toStored(calculation.taxTotal),
    grandTotal: toStored(calculation.grandTotal),
    cancelReason: null,
    createdBy: caller.id,
  };
}

function orderOf(prepared: Prepared, id: number, now: Date): PurchaseOrderRecord {
  const number = `PO-${String(id).padStart(6, '0')}`;
  const tokens = searchTokens([number, prepared.vendorName, prepared.reference]);
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

import type { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product, REORDER_INDEX } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import { StockBalance, StockValue } from '../../../models/business/stock/stock';
import type { BusinessCaller } from '../access/caller';
import type { ListPage } from '../records/lists';

/** A product whose available quantity is at its reorder level or below. */
export interface LowStock {
  productId: number;
  productCode: string;
  productName: string;
  unit: string;
  /** Quantity on hand in all warehouses. */
  onHand: Decimal;
  /** Quantity that confirmed sales orders reserve of it. */
  reserved: Decimal;
  available: Decimal;
  /** Quantity of placed purchase orders that has not been received. */
  onOrder: Decimal;
  reorderLevel: Decimal;
}

type Row = Pick<ProductRecord, 'id' | 'code' | 'name' | 'unit'> & {
  onHand: NonNullable<ProductRecord['reorderLevel']>;
  reserved: NonNullable<ProductRecord['reorderLevel']>;
  reorderLevel: NonNullable<ProductRecord['reorderLevel']>;
};

function buildLowStock(row: Row, onOrder: Decimal): LowStock {
  const [onHand, reserved] = [fromDecimal128(row.onHand), fromDecimal128(row.reserved)];
  return {
    productId: row.id,
    productCode: row.code,
    productName: row.name,
    unit: row.unit,
    onHand,
    reserved,
    available: onHand.minus(reserved),
    onOrder,
    reorderLevel: fromDecimal128(row.reorderLevel),
  };
}

/** What is still to be received of placed purchase orders, by product. */
async function readOrderedQuantities(
  organisationId: string,
  productIds: readonly number[],
): Promise<ReadonlyMap<number, Decimal>> {
  if (productIds.length === 0) return new Map();
  const rows = await PurchaseOrder.aggregate<{ _id: number; quantity: Types.Decimal128 }>([
    { $match: { organisationId, status: { $in: ['ordered', 'partially_received'] } } },
    { $project: { _id: 0, lines: 1 } },
    { $unwind: '$lines' },
    {
      $match: {
        'lines.productId': { $in: [...productIds] },
        $expr: { $gt: ['$lines.quantity', '$lines.received'] },
      },
    },
    {
      $group: {
        _id: '$lines.productId',
        quantity: { $sum: { $subtract: ['$lines.quantity', '$lines.received'] } },
      },
    },
  ]);
  return new Map(rows.map(({ _id, quantity }) => [_id, fromDecimal128(quantity)]));
}

/**
 * A page of the active products whose available quantity is at their reorder level or below, the greatest shortage first.
 * Reads the products with a reorder level, each with its stock and reservations.
 * @param page from 1
 */
export async function listLowStock(
  { organisationId }: BusinessCaller,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<ListPage<LowStock>> {
  const [found] = await Product.aggregate<{ rows: Row[]; total: { count: number }[] }>([
    { $match: { organisationId, active: true, reorderLevel: { $type: 'decimal' } } },
    { $project: { id: 1, code: 1, name: 1, unit: 1, reorderLevel: 1 } },
    {
      $lookup: {
        from: StockValue.collection.name,
        localField: 'id',
        foreignField: 'productId',
        pipeline: [{ $match: { organisationId } }, { $project: { quantity: 1 } }],
        as: 'stock',
      },
    },
    {
      $lookup: {
        from: StockBalance.collection.name,
        localField: 'id',
        foreignField: 'productId',
        pipeline: [{ $match: { organisationId } }, { $project: { reserved: 1 } }],
        as: 'balances',
      },
    },
    {
      $set: {
        onHand: { $ifNull: [{ $first: '$stock.quantity' }, { $toDecimal: 0 }] },
        reserved: { $toDecimal: { $sum: '$balances.reserved' } },
      },
    },
    { $set: { shortage: { $subtract: ['$reorderLevel', { $subtract: ['$onHand', '$reserved'] }] } } },
    { $match: { $expr: { $gte: ['$shortage', 0] } } },
    {
      $facet: {
        rows: [{ $sort: { shortage: -1, id: 1 } }, { $skip: (page - 1) * pageSize }, { $limit: pageSize }],
        total: [{ $count: 'count' }],
      },
    },
  ]).hint(REORDER_INDEX);
  const listed = found?.rows ?? [];
  const ordered = await readOrderedQuantities(
    organisationId,
    listed.map(({ id }) => id),
  );
  const rows = listed.map((row) => buildLowStock(row, ordered.get(row.id) ?? ZERO));
  return { rows, totalCount: found?.total[0]?.count ?? 0 };
}

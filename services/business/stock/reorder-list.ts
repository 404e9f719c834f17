import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product, REORDER_INDEX } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockValue } from '../../../models/business/stock/stock';
import type { BusinessCaller } from '../access/caller';
import type { ListPage } from '../records/lists';

/** A product whose stock is at its reorder level or below. */
export interface LowStock {
  productId: number;
  productCode: string;
  productName: string;
  unit: string;
  /** Quantity on hand in all warehouses. */
  onHand: Decimal;
  reorderLevel: Decimal;
}

type Row = Pick<ProductRecord, 'id' | 'code' | 'name' | 'unit'> & {
  onHand: NonNullable<ProductRecord['reorderLevel']>;
  reorderLevel: NonNullable<ProductRecord['reorderLevel']>;
};

/**
 * A page of the active products whose stock is at their reorder level or below, the greatest shortage first. Reads the
 * products with a reorder level, each with its stock.
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
    { $set: { onHand: { $ifNull: [{ $first: '$stock.quantity' }, { $toDecimal: 0 }] } } },
    { $match: { $expr: { $lte: ['$onHand', '$reorderLevel'] } } },
    { $set: { shortage: { $subtract: ['$reorderLevel', '$onHand'] } } },
    {
      $facet: {
        rows: [{ $sort: { shortage: -1, id: 1 } }, { $skip: (page - 1) * pageSize }, { $limit: pageSize }],
        total: [{ $count: 'count' }],
      },
    },
  ]).hint(REORDER_INDEX);
  const rows = (found?.rows ?? []).map(({ id, code, name, unit, onHand, reorderLevel }) => ({
    productId: id,
    productCode: code,
    productName: name,
    unit,
    onHand: fromDecimal128(onHand),
    reorderLevel: fromDecimal128(reorderLevel),
  }));
  return { rows, totalCount: found?.total[0]?.count ?? 0 };
}

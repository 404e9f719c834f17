import { fromStored } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import { emitEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

type Movement = Pick<StockLedgerRecord, 'productId' | 'sequence' | 'kind' | 'quantity' | 'quantityAfter' | 'postedAt'>;

/** Goods that left the company; a transfer stays in it. */
const leaves = ({ kind, quantity }: Movement): boolean => kind !== 'transfer' && fromStored(quantity).isNegative();

type Watched = Pick<ProductRecord, '_id' | 'id' | 'reorderLevel'>;

/**
 * Those of the products that have a reorder level, by id. Inactive ones are not ordered again, so nothing is told of
 * them. Read beside the transaction that moves them: a level conflicts with no movement, so the transaction's own
 * snapshot would be no better, and its other statements need not wait for this one.
 */
export async function watchedProducts(
  organisationId: string,
  movements: readonly Movement[],
): Promise<ReadonlyMap<number, Watched>> {
  const ids = [...new Set(movements.filter(leaves).map(({ productId }) => productId))];
  if (ids.length === 0) return new Map();
  const products = await Product.find(
    { organisationId, id: { $in: ids }, active: true, reorderLevel: { $ne: null } },
    { id: 1, reorderLevel: 1 },
  ).lean<Watched[]>();
  return new Map(products.map((product) => [product.id, product]));
}

/**
 * Tells `stock.low` for each movement that takes a product from above its reorder level to it or below: once a
 * crossing, again only after stock was above it.
 */
export async function tellLowStock(
  unit: UnitOfWork,
  organisationId: string,
  movements: readonly Movement[],
  watched: ReadonlyMap<number, Watched>,
): Promise<void> {
  for (const { productId, sequence, quantity, quantityAfter, postedAt: at } of movements.filter(leaves)) {
    const product = watched.get(productId);
    if (product === undefined || product.reorderLevel === null) continue;
    const level = fromStored(product.reorderLevel);
    const after = fromStored(quantityAfter);
    if (after.gt(level) || after.minus(fromStored(quantity)).lte(level)) continue;
    const data = { productId, quantity: after.toNumber(), reorderLevel: level.toNumber() };
    const key = `stock.low:${productId}:${sequence}`;
    const scope = { organisationId, mode: 'live' } as const;
    await emitEvent(unit, scope, { type: 'stock.low', data, key, subjectId: product._id.toHexString(), at });
  }
}

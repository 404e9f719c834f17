import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import { emitEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

type Movement = Pick<StockLedgerRecord, 'productId' | 'sequence' | 'kind' | 'quantity' | 'quantityAfter' | 'postedAt'>;

/** Goods that left the company; a transfer stays in it. */
const isOutgoing = ({ kind, quantity }: Movement): boolean =>
  kind !== 'transfer' && fromDecimal128(quantity).isNegative();

type ReorderedProduct = Pick<ProductRecord, '_id' | 'id' | 'reorderLevel'>;

/**
 * Those of the products that have a reorder level, by id. Inactive ones are not ordered again, so nothing is told of
 * them. Read beside the transaction that moves them: a level conflicts with no movement, so the transaction's own
 * snapshot would be no better, and its other statements need not wait for this one.
 */
export async function findReorderedProducts(
  organisationId: string,
  movements: readonly Movement[],
): Promise<ReadonlyMap<number, ReorderedProduct>> {
  const ids = [...new Set(movements.filter(isOutgoing).map(({ productId }) => productId))];
  if (ids.length === 0) return new Map();
  const products = await Product.find(
    { organisationId, id: { $in: ids }, active: true, reorderLevel: { $ne: null } },
    { id: 1, reorderLevel: 1 },
  ).lean<ReorderedProduct[]>();
  return new Map(products.map((product) => [product.id, product]));
}

/**
 * Tells `stock.low` for each movement that takes a product from above its reorder level to it or below: once a
 * crossing, again only after stock was above it.
 */
export async function emitLowStockEvents(
  unit: UnitOfWork,
  organisationId: string,
  movements: readonly Movement[],
  products: ReadonlyMap<number, ReorderedProduct>,
): Promise<void> {
  for (const { productId, sequence, quantity, quantityAfter, postedAt: at } of movements.filter(isOutgoing)) {
    const product = products.get(productId);
    if (product === undefined || product.reorderLevel === null) continue;
    const level = fromDecimal128(product.reorderLevel);
    const after = fromDecimal128(quantityAfter);
    if (after.gt(level) || after.minus(fromDecimal128(quantity)).lte(level)) continue;
    const data = { productId, quantity: after.toNumber(), reorderLevel: level.toNumber() };
    const key = `stock.low:${productId}:${sequence}`;
    const scope = { organisationId, mode: 'live' } as const;
    await emitEvent(unit, scope, { type: 'stock.low', data, key, subjectId: product._id.toHexString(), at });
  }
}

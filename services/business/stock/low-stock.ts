import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import { emitEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

type Movement = Pick<StockLedgerRecord, 'productId' | 'sequence' | 'kind' | 'quantity' | 'quantityAfter' | 'postedAt'>;

/** Movements by which goods leave the company; a transfer does not. */
const isOutgoing = ({ kind, quantity }: Movement): boolean =>
  kind !== 'transfer' && fromDecimal128(quantity).isNegative();

/** What low stock depends on. */
export type ReorderedProduct = Pick<ProductRecord, '_id' | 'id' | 'active' | 'reorderLevel'>;

/**
 * The products of outgoing movements, by id. They are read outside the transaction that moves them: reorder levels never
 * conflict with movements, so the snapshot of the transaction would not be more accurate, and its other statements do
 * not wait for this one.
 * @param known those that the request has read already
 */
export async function findMovedProducts(
  organisationId: string,
  movements: readonly Movement[],
  known: readonly ReorderedProduct[],
): Promise<ReadonlyMap<number, ReorderedProduct>> {
  const products = new Map(known.map((product) => [product.id, product]));
  const ids = new Set(movements.filter(isOutgoing).map(({ productId }) => productId));
  const unknown = [...ids].filter((id) => !products.has(id));
  if (unknown.length === 0) return products;
  const read = await Product.find({ organisationId, id: { $in: unknown } }, { id: 1, active: 1, reorderLevel: 1 }).lean<
    ReorderedProduct[]
  >();
  for (const product of read) products.set(product.id, product);
  return products;
}

/**
 * Emits `stock.low` for each movement that takes a product from above its reorder level to the level or below; the
 * event is emitted again only after the stock was above the level. Inactive products are not reordered, so no event is
 * emitted for them.
 */
export async function emitLowStockEvents(
  unit: UnitOfWork,
  organisationId: string,
  movements: readonly Movement[],
  products: ReadonlyMap<number, ReorderedProduct>,
): Promise<void> {
  for (const { productId, sequence, quantity, quantityAfter, postedAt: at } of movements.filter(isOutgoing)) {
    const product = products.get(productId);
    if (product === undefined || !product.active || product.reorderLevel === null) continue;
    const level = fromDecimal128(product.reorderLevel);
    const after = fromDecimal128(quantityAfter);
    if (after.gt(level) || after.minus(fromDecimal128(quantity)).lte(level)) continue;
    const data = { productId, quantity: after.toNumber(), reorderLevel: level.toNumber() };
    const key = `stock.low:${productId}:${sequence}`;
    const scope = { organisationId, mode: 'live' } as const;
    await emitEvent(unit, scope, { type: 'stock.low', data, key, subjectId: product._id.toHexString(), at });
  }
}

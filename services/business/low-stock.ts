import { fromStored } from '../../models/business/decimal128';
import { Product } from '../../models/business/product';
import type { ProductRecord } from '../../models/business/product';
import type { StockLedgerRecord } from '../../models/business/stock';
import { emitEvent } from '../platform/events';
import type { UnitOfWork } from '../platform/unit-of-work';

type Movement = Pick<StockLedgerRecord, 'productId' | 'sequence' | 'kind' | 'quantity' | 'quantityAfter' | 'postedAt'>;

/** Goods that left the company; a transfer stays in it. */
const leaves = ({ kind, quantity }: Movement): boolean => kind !== 'transfer' && fromStored(quantity).isNegative();

/**
 * Tells `stock.low` for each movement that takes a product from above its reorder level to it or below: once a
 * crossing, again only after stock was above it. The level is read in the transaction, so that it is the one in force
 * when the movement commits. Inactive products are not ordered again, so nothing is told of them.
 */
export async function tellLowStock(
  unit: UnitOfWork,
  organisationId: string,
  movements: readonly Movement[],
): Promise<void> {
  const left = movements.filter(leaves);
  if (left.length === 0) return;
  const ids = [...new Set(left.map(({ productId }) => productId))];
  const products = await Product.find(
    { organisationId, id: { $in: ids }, active: true, reorderLevel: { $ne: null } },
    { id: 1, reorderLevel: 1 },
  )
    .session(unit.session)
    .lean<Pick<ProductRecord, '_id' | 'id' | 'reorderLevel'>[]>();
  const watched = new Map(products.map((product) => [product.id, product]));
  for (const { productId, sequence, quantity, quantityAfter, postedAt: at } of left) {
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

import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeAverageCost, ZERO_STOCK } from '../../../domain/business/stock/stock-valuation';
import type { StockValue } from '../../../domain/business/stock/stock-valuation';
import { invalidFieldError, invalidRequestError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockBalance } from '../../../models/business/stock/stock';
import type { StockBalanceRecord } from '../../../models/business/stock/stock';
import type { StockDocumentLine } from '../../../models/business/stock/stock-document';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getCompanyToday } from '../settings/company';
import { requireOpenPeriod } from '../documents/posting-period';
import { issueStock, receiveStock, readStock } from './stock-movements';
import type { Posting } from './stock-movements';
import type { StockDocumentKind } from './stock-document-posting';
import { buildStockLine } from './stock-documents';

export interface AdjustmentLineInput {
  productId: number;
  /** Signed change of the quantity; the alternative to `countedQuantity`. */
  quantityDelta?: Decimal | undefined;
  /** Quantity that was counted in the warehouse. */
  countedQuantity?: Decimal | undefined;
  /** Cost per added unit in the base currency. @default the moving average cost; required where that is 0, rejected if none are added */
  unitCost?: Decimal | undefined;
}

export interface AdjustmentInput {
  warehouseId: number;
  reason: string;
  lines: AdjustmentLineInput[];
}

/** The change of quantity: as sent, or the count less the quantity on hand, read in this transaction. */
async function computeDelta(
  unit: UnitOfWork,
  organisationId: string,
  warehouseId: number,
  line: AdjustmentLineInput,
): Promise<Decimal> {
  if (line.quantityDelta !== undefined) return line.quantityDelta;
  // An update rather than a read, so that a concurrent movement conflicts and the transaction is retried.
  const balance = await StockBalance.findOneAndUpdate(
    { organisationId, productId: line.productId, warehouseId },
    { $inc: { onHand: toDecimal128(ZERO) } },
    { session: unit.mongoSession, upsert: true, returnDocument: 'after' },
  ).lean<StockBalanceRecord>();
  return (line.countedQuantity ?? ZERO).minus(fromDecimal128(balance.onHand));
}

/**
 * The cost of an added unit: as sent, or the moving average. Without either it must be sent: goods that enter at
 * value 0 would falsify every later average.
 * @throws AppError 400 naming the cost
 */
function resolveUnitCost(line: AdjustmentLineInput, index: number, stock: StockValue | undefined): Decimal {
  const unitCost = line.unitCost ?? computeAverageCost(stock ?? ZERO_STOCK);
  if (line.unitCost === undefined && unitCost.isZero())
    throw invalidFieldError(
      `lines[${index}].unitCost`,
      'is required, because the stock of the product has no value to derive it from; 0 is accepted',
    );
  return unitCost;
}

/** A cost that values nothing would seem to revalue the goods on hand. @throws AppError 400 naming the cost */
function rejectUnusedCost({ unitCost }: AdjustmentLineInput, index: number, delta: Decimal): void {
  if (unitCost === undefined || delta.gt(0)) return;
  throw invalidFieldError(
    `lines[${index}].unitCost`,
    'is accepted only with added units; removed units leave at the moving average, and goods on hand keep their value',
  );
}

async function adjustLine(
  unit: UnitOfWork,
  posting: Posting,
  warehouseId: number,
  line: AdjustmentLineInput,
  { product, index }: { product: ProductRecord; index: number },
): Promise<StockDocumentLine> {
  const { organisationId } = posting;
  const delta = await computeDelta(unit, organisationId, warehouseId, line);
  rejectUnusedCost(line, index, delta);
  const before = (await readStock(organisationId, [product.id], unit)).get(product.id);
  const field = line.quantityDelta === undefined ? 'countedQuantity' : 'quantityDelta';
  const moved = buildStockLine(product, index, warehouseId, delta.abs(), field);
  if (delta.isNegative()) await issueStock(unit, posting, [moved]);
  else if (delta.gt(0)) await receiveStock(unit, posting, moved, resolveUnitCost(line, index, before));
  const after = (await readStock(organisationId, [product.id], unit)).get(product.id);
  return {
    lineId: index + 1,
    productId: product.id,
    productCode: product.code,
    productName: product.name,
    quantity: toDecimal128(delta),
    value: toDecimal128((after?.value ?? ZERO).minus(before?.value ?? ZERO)),
  };
}

/**
 * Corrects the quantity on hand. Added units are valued at a cost, removed units at the moving average. An adjustment is
 * always posted today, never back-dated.
 * @throws AppError 400; 409 `insufficient_stock`; 409 `period_locked` while today is locked, because the value of stock
 * is part of the books
 */
export const ADJUSTMENT_KIND: StockDocumentKind<AdjustmentInput> = {
  type: 'adjustment',
  counter: 'adjustments',
  readWarehouses: ({ warehouseId }) => ({ warehouseId }),
  async postMovements(unit, caller, { warehouseId, reason, lines }, { posting, products }) {
    await requireOpenPeriod(unit, caller, getCompanyToday(unit.platform, caller), 'lines');
    const adjusted: StockDocumentLine[] = [];
    for (const [index, line] of lines.entries()) {
      const product = products.get(line.productId);
      if (product === undefined) throw notFoundError('product');
      adjusted.push(await adjustLine(unit, posting, warehouseId, line, { product, index }));
    }
    return { warehouseId, toWarehouseId: null, reason, lines: adjusted };
  },
  buildAuditEntry: ({ reason }) => ({ action: 'inventory.adjusted', reason }),
};

/** Rejects lines with neither or both of a change and a count. @throws AppError 400 */
export function checkAdjustmentLines(lines: readonly AdjustmentLineInput[]): void {
  const problems = lines.flatMap(({ quantityDelta, countedQuantity }, index): FieldProblem[] => {
    const field = `lines[${index}]`;
    if ((quantityDelta === undefined) === (countedQuantity === undefined))
      return [{ field, problem: 'needs either quantityDelta or countedQuantity' }];
    return quantityDelta?.isZero() === true ? [{ field: `${field}.quantityDelta`, problem: 'must not be 0' }] : [];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
}

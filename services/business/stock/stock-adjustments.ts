import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import { invalidRequestError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockBalance } from '../../../models/business/stock/stock';
import type { StockBalanceRecord } from '../../../models/business/stock/stock';
import { StockDocument } from '../../../models/business/stock/stock-document';
import type { StockDocumentRecord } from '../../../models/business/stock/stock-document';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction, runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { requireOpenPeriod } from '../documents/posting-period';
import { withPostingLock } from '../documents/posting-lock';
import { issueStock, receiveStock, readStock } from './stock-movements';
import { getStockDocument, buildStockLine, readReferencedGoods, buildStockDocument } from './stock-documents';

export interface AdjustmentLineInput {
  productId: number;
  /** Signed change; or name what was counted. */
  quantityDelta?: Decimal | undefined;
  /** What is there. */
  countedQuantity?: Decimal | undefined;
  /** Base currency, of units more. @default the moving average */
  unitCost?: Decimal | undefined;
}

export interface AdjustmentInput {
  warehouseId: number;
  reason: string;
  lines: AdjustmentLineInput[];
}

/** What a line changes: given, or counted less what is there, read in this transaction. */
async function computeDelta(
  unit: UnitOfWork,
  caller: BusinessCaller,
  warehouseId: number,
  line: AdjustmentLineInput,
): Promise<Decimal> {
  if (line.quantityDelta !== undefined) return line.quantityDelta;
  const key = { organisationId: caller.organisationId, productId: line.productId, warehouseId };
  // Written, so that a movement since the read makes the transaction run again.
  const balance = await StockBalance.findOneAndUpdate(
    key,
    { $inc: { onHand: toDecimal128(ZERO) } },
    { session: unit.mongoSession, upsert: true, returnDocument: 'after' },
  ).lean<StockBalanceRecord>();
  return (line.countedQuantity ?? ZERO).minus(fromDecimal128(balance.onHand));
}

async function writeAdjustment(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: AdjustmentInput,
  id: number,
  products: ReadonlyMap<number, ProductRecord>,
): Promise<StockDocumentRecord> {
  const { organisationId, company } = caller;
  await requireOpenPeriod(unit, caller, getCompanyToday(platform, caller), 'lines');
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const posting = {
    organisationId,
    kind: 'adjustment',
    invoiceId: null,
    sourceId: id,
    baseDecimals,
    at: platform.clock.now(),
  } as const;
  const lines: StockDocumentRecord['lines'] = [];
  for (const [index, line] of input.lines.entries()) {
    const product = products.get(line.productId);
    if (product === undefined) throw notFoundError('product');
    const delta = await computeDelta(unit, caller, input.warehouseId, line);
    const before = (await readStock(organisationId, [product.id], unit)).get(product.id);
    const field = line.quantityDelta === undefined ? 'countedQuantity' : 'quantityDelta';
    const moved = buildStockLine(product, index, input.warehouseId, delta.abs(), field);
    if (delta.isNegative()) await issueStock(unit, posting, [moved]);
    else if (delta.gt(0))
      await receiveStock(
        unit,
        posting,
        moved,
        line.unitCost ?? (before === undefined ? ZERO : computeAverageCost(before)),
      );
    const after = (await readStock(organisationId, [product.id], unit)).get(product.id);
    lines.push({
      lineId: index + 1,
      productId: product.id,
      productCode: product.code,
      productName: product.name,
      quantity: toDecimal128(delta),
      value: toDecimal128((after?.value ?? ZERO).minus(before?.value ?? ZERO)),
    });
  }
  const { warehouseId, reason } = input;
  const record = buildStockDocument(platform, caller, {
    type: 'adjustment',
    id,
    warehouseId,
    toWarehouseId: null,
    reason,
    lines,
  });
  await StockDocument.create([record], { session: unit.mongoSession });
  const subject = `adjustment:${id}`;
  await unit.audit(caller, { actor: caller.id, action: 'inventory.adjusted', subject, reason });
  return record;
}

/**
 * Corrects what is on hand: units more at a cost, units less at the moving average; posted now, never back-dated.
 * @throws AppError 400; 409 `insufficient_stock`, and `period_locked` while today is locked: the value of stock is of the books
 */
export async function createAdjustment(
  platform: Platform,
  caller: BusinessCaller,
  input: AdjustmentInput,
  use: IdempotentUse | undefined,
): Promise<StockDocumentRecord> {
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const products = await readReferencedGoods(caller, { warehouseId: input.warehouseId }, input.lines);
      const id = await reserveNumber(caller.organisationId, 'adjustments');
      return withPostingLock(platform, caller.organisationId, () =>
        runTransaction(platform, async (unit) => {
          const record = await writeAdjustment(platform, unit, caller, input, id, products);
          await claim(unit, String(id), 201);
          return record;
        }),
      );
    },
    (recordId) => getStockDocument(caller, 'adjustment', Number(recordId)),
  );
}

/** What `createAdjustment` would do, with the same refusals; writes nothing. */
export async function dryRunAdjustment(
  platform: Platform,
  caller: BusinessCaller,
  input: AdjustmentInput,
): Promise<StockDocumentRecord> {
  const products = await readReferencedGoods(caller, { warehouseId: input.warehouseId }, input.lines);
  return dryRunTransaction(platform, (unit) => writeAdjustment(platform, unit, caller, input, 0, products));
}

/** Refuses what names neither a change nor a count, or both. @throws AppError 400 */
export function checkAdjustmentLines(lines: readonly AdjustmentLineInput[]): void {
  const problems = lines.flatMap(({ quantityDelta, countedQuantity }, index): FieldProblem[] => {
    const field = `lines[${index}]`;
    if ((quantityDelta === undefined) === (countedQuantity === undefined))
      return [{ field, problem: 'needs either quantityDelta or countedQuantity' }];
    return quantityDelta?.isZero() === true ? [{ field: `${field}.quantityDelta`, problem: 'must not be 0' }] : [];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
}

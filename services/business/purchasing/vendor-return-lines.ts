import type { ClientSession } from 'mongoose';
import { round, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeReturnedAmounts } from '../../../domain/business/purchasing/vendor-returns';
import { conflictError, invalidFieldError, invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import type { BilledGoods } from './billed-goods';

export interface ReturnLineInput {
  /** The line of the receipt. */
  lineId: number;
  quantity: Decimal;
  /** Credited cost per unit before tax. @default that of the bill, or else of the receipt */
  unitCost?: Decimal | undefined;
  /** The warehouse that the goods leave. @default the one that received them */
  warehouseId?: number | undefined;
}

/** A returned line with its amounts in the currency of the receipt. */
export interface ReturnedLine {
  line: PayableLine;
  productId: number;
  warehouseId: number;
  quantity: Decimal;
  unitCost: Decimal;
  net: Decimal;
  tax: Decimal;
  field: string;
}

/**
 * The movements that received the goods of a receipt, by line of the receipt. Movements name the line of the order, so
 * that they are matched by product, in order.
 */
export async function readReceivingMovements(
  mongoSession: ClientSession | null,
  { organisationId, id, lines }: PayableRecord,
): Promise<Map<number, StockLedgerRecord>> {
  const rows = await StockLedger.find({ organisationId, kind: 'receipt', sourceId: id })
    .sort({ _id: 1 })
    .session(mongoSession)
    .lean<StockLedgerRecord[]>();
  const movements = new Map<number, StockLedgerRecord>();
  for (const line of lines) {
    const index = rows.findIndex(({ productId }) => productId === line.productId);
    const [row] = index < 0 ? [] : rows.splice(index, 1);
    if (row !== undefined) movements.set(line.lineId, row);
  }
  return movements;
}

const getReturnable = ({ quantity, returned }: PayableLine): Decimal =>
  fromDecimal128(quantity).minus(returned === undefined ? ZERO : fromDecimal128(returned));

/** The tax rates of the company, by id. */
export type TaxRates = ReadonlyMap<number, TaxRateRecord>;

/** @throws Error if the receipt names a tax rate that does not exist */
export function getTaxRate(taxRates: TaxRates, { taxRateId }: Pick<PayableLine, 'taxRateId'>): TaxRateRecord {
  const rate = taxRates.get(taxRateId);
  if (rate === undefined) throw new Error('a receipt names a tax rate that does not exist');
  return rate;
}

/**
 * The share of the billed amounts, or else of the received ones; at another cost, what that cost and the tax rate of the
 * line amount to.
 */
function computeAmounts(
  line: PayableLine,
  { quantity, unitCost }: ReturnLineInput,
  { decimals, taxRates, billed }: ReturnTerms,
) {
  const goods = billed.get(line.productId ?? 0);
  if (goods !== undefined) billed.set(line.productId ?? 0, { ...goods, returned: goods.returned.plus(quantity) });
  if (unitCost === undefined && goods !== undefined)
    return computeReturnedAmounts(goods, goods.returned, quantity, decimals);
  const received = {
    quantity: fromDecimal128(line.quantity),
    net: fromDecimal128(line.net),
    tax: fromDecimal128(line.tax),
  };
  if (unitCost === undefined) {
    const before = received.quantity.minus(getReturnable(line));
    return computeReturnedAmounts(received, before, quantity, decimals);
  }
  const net = round(quantity.times(unitCost), decimals);
  const percent = fromDecimal128(getTaxRate(taxRates, line).percent);
  return { net, tax: round(net.times(percent).div(100), decimals) };
}

/** What the amounts of a return depend on, besides its receipt. */
interface ReturnTerms {
  /** Number of decimals of the currency of the receipt. */
  decimals: number;
  taxRates: TaxRates;
  /** Ids of the warehouses of the company. Goods may also leave one that is inactive. */
  warehouseIds: ReadonlySet<number>;
  /** Goods that are billed completely, by product; counts what is returned of them. */
  billed: Map<number, BilledGoods>;
}

/**
 * The returned lines of a receipt; without lines in the request, all goods that are left.
 * @throws AppError 400; 409 `over_return` with the quantities that can still be returned
 */
export function computeReturnedLines(
  receipt: PayableRecord,
  movements: ReadonlyMap<number, Pick<StockLedgerRecord, 'warehouseId'>>,
  sent: readonly ReturnLineInput[] | undefined,
  context: ReturnTerms,
): ReturnedLine[] {
  const all = receipt.lines
    .filter((line) => movements.has(line.lineId))
    .map((line): ReturnLineInput => ({ lineId: line.lineId, quantity: getReturnable(line) }));
  const requested = sent ?? all.filter(({ quantity }) => quantity.gt(0));
  const problems: FieldProblem[] = [];
  const beyond: FieldProblem[] = [];
  const returned = requested.flatMap((input, index): ReturnedLine[] => {
    const field = `lines[${index}]`;
    const line = receipt.lines.find(({ lineId }) => lineId === input.lineId);
    const received = movements.get(input.lineId)?.warehouseId;
    const isRepeated = requested.findIndex(({ lineId }) => lineId === input.lineId) !== index;
    if (line?.productId == null || received === undefined || isRepeated) {
      const wrong = line === undefined ? 'is not a line of the receipt' : 'is a service; it has no stock';
      problems.push({ field: `${field}.lineId`, problem: isRepeated ? 'is named twice' : wrong });
      return [];
    }
    const { warehouseId = received } = input;
    if (!context.warehouseIds.has(warehouseId))
      problems.push({ field: `${field}.warehouseId`, problem: 'is not a warehouse of the company' });
    const most = getReturnable(line);
    if (input.quantity.gt(most))
      beyond.push({ field: `${field}.quantity`, problem: `must be at most ${most.toFixed()}` });
    return [
      {
        line,
        productId: line.productId,
        warehouseId,
        quantity: input.quantity,
        unitCost: input.unitCost ?? context.billed.get(line.productId)?.unitCost ?? fromDecimal128(line.unitCost),
        ...computeAmounts(line, input, context),
        field: `${field}.quantity`,
      },
    ];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  if (beyond.length > 0)
    throw conflictError(
      'over_return',
      `More than was received: ${beyond.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`,
      { fields: beyond },
    );
  if (returned.length === 0)
    throw invalidFieldError('receiptId', 'is not a receipt from the vendor with goods to return');
  return returned;
}

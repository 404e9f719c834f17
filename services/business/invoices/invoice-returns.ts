import { round, sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { InvoiceLineSnapshot } from '../../../domain/business/invoices/invoice';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockLedgerRecord, StockMovementKind } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { ReturnedLine } from '../stock/stock-movements';

/** Returned units of one invoice line. */
export interface ReturnedUnits {
  lineId: number;
  quantity: Decimal;
  field: string;
}

/** A line with a product; lines in free text move no stock. */
type StockedLine = InvoiceLineSnapshot & { productId: number; productCode: string };

const isStocked = (line: InvoiceLineSnapshot | undefined): line is StockedLine =>
  line !== undefined && line.productId !== null && line.productCode !== null;

/** Quantity and value that left stock for a line, and that were returned before. */
interface LineMovements {
  warehouseId: number;
  left: { quantity: Decimal; value: Decimal };
  back: { quantity: Decimal; value: Decimal };
}

const RETURN_KINDS: ReadonlySet<StockMovementKind> = new Set(['restock', 'void']);

async function readMovements(unit: UnitOfWork, invoice: InvoiceRecord): Promise<Map<number, LineMovements>> {
  const rows = await StockLedger.find({ organisationId: invoice.organisationId, invoiceId: invoice.id })
    .session(unit.mongoSession)
    .lean<StockLedgerRecord[]>();
  const lines = new Map<number, LineMovements>();
  for (const out of rows.filter(({ kind }) => kind === 'invoice')) {
    const back = rows.filter(({ kind, lineId }) => RETURN_KINDS.has(kind) && lineId === out.lineId);
    lines.set(out.lineId ?? 0, {
      warehouseId: out.warehouseId,
      left: { quantity: fromDecimal128(out.quantity).neg(), value: fromDecimal128(out.value).neg() },
      back: {
        quantity: sum(back.map((row) => fromDecimal128(row.quantity))),
        value: sum(back.map((row) => fromDecimal128(row.value))),
      },
    });
  }
  return lines;
}

function buildReturnedLine(
  line: StockedLine,
  moved: LineMovements,
  units: ReturnedUnits,
  decimals: number,
): ReturnedLine {
  const { left, back } = moved;
  const cumulative = back.quantity.plus(units.quantity);
  const due = cumulative.eq(left.quantity)
    ? left.value
    : round(left.value.times(cumulative).div(left.quantity), decimals);
  return {
    lineId: line.lineId,
    field: units.field,
    productId: line.productId,
    productCode: line.productCode,
    productName: line.description,
    warehouseId: moved.warehouseId,
    quantity: units.quantity,
    value: due.minus(back.value),
  };
}

/**
 * Builds the returns of an invoice's goods, each at its original cost and to its original warehouse. Values are rounded
 * cumulatively, so that all partial returns add up to the value that left. Lines without movements (services) are
 * omitted.
 */
export async function buildReturnedLines(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  units: readonly ReturnedUnits[],
  baseDecimals: number,
): Promise<ReturnedLine[]> {
  const moved = await readMovements(unit, invoice);
  return units.flatMap((each) => {
    const line = invoice.document.lines.find(({ lineId }) => lineId === each.lineId);
    const movements = moved.get(each.lineId);
    if (!isStocked(line) || movements === undefined || each.quantity.lte(ZERO)) return [];
    return buildReturnedLine(line, movements, each, baseDecimals);
  });
}

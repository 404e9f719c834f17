import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeDueDate } from '../../../domain/business/payments/payment-terms';
import {
  computeOutstandingQuantity,
  computeReceivableQuantity,
  computeReceivedStatus,
} from '../../../domain/business/purchasing/purchasing';
import { invalidOrderTransitionError } from '../../../domain/business/orders/order-transitions';
import { conflictError, invalidRequestError, invalidFieldError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Payable, PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import type {
  PayableRecord,
  PurchaseOrderLine,
  PurchaseOrderRecord,
} from '../../../models/business/purchasing/purchase-order';
import { Vendor } from '../../../models/business/parties/vendor';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { resolvePostingDate } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { findExchangeRate } from '../settings/document-rates';
import { findLineTaxRate } from '../settings/line-tax-rates';
import { withCurrentTaxRates } from '../settings/tax-rate-uses';
import { requireOpenPeriod } from '../documents/posting-period';
import { getRecord, replaceRecord } from '../records/records';
import { receiveStock } from '../stock/stock-movements';
import { calculatePurchase, readCatalogue } from './lines';
import type { BoughtLine, Catalogue } from './lines';
import { PURCHASE_ORDER_KIND } from './orders';
import { postPayable } from './payables';
import { readReturnedQuantities } from './returned-order-lines';

/** One counter numbers receipts and bills, because both are payables. */
export const PAYABLE_COUNTER = 'payables';

export interface ReceiptInput {
  /** Undefined: all remaining quantities, with replacements of what was returned to the vendor. */
  lines?: { lineId: number; quantity: Decimal; unitCost?: Decimal | undefined }[] | undefined;
  /** `YYYY-MM-DD`. @default today */
  date?: string | undefined;
  reference?: string | undefined;
}

/** Counter of the numbers of receipts. */
const RECEIPT_NUMBER_COUNTER = 'receipt-numbers';
const RECEIPT_NUMBER_PREFIX = 'GR-';

/**
 * Allocates the next receipt number within the transaction, so that a rejected receipt leaves no gap. The transaction
 * has written the posting record before, so that concurrent receipts of an organisation run one after another.
 */
async function allocateReceiptNumber(unit: UnitOfWork, organisationId: string): Promise<string> {
  const { mongoSession } = unit;
  const next = await reserveNumberInTransaction(mongoSession, organisationId, RECEIPT_NUMBER_COUNTER, 1, async () => {
    // Receipts of earlier versions were numbered by their ids, in order.
    const latest = await Payable.findOne({ organisationId, type: 'receipt' }, { number: 1 })
      .sort({ id: -1 })
      .session(mongoSession)
      .lean<{ number: string }>();
    return latest === null ? 0 : Number(latest.number.slice(RECEIPT_NUMBER_PREFIX.length));
  });
  return `${RECEIPT_NUMBER_PREFIX}${String(next).padStart(6, '0')}`;
}

interface ArrivingLine {
  line: PurchaseOrderLine;
  quantity: Decimal;
  unitCost: Decimal;
  field: string;
}

/** What the quantities that an order can still receive depend on, besides its lines. */
interface ReceivingTerms {
  tolerancePercent: Decimal;
  /** Quantities that were returned to the vendor, by line. */
  returned: ReadonlyMap<number, Decimal>;
}

const toKeptLine = (line: PurchaseOrderLine, { returned }: ReceivingTerms) => ({
  quantity: fromDecimal128(line.quantity),
  received: fromDecimal128(line.received),
  returned: returned.get(line.lineId) ?? ZERO,
});

/**
 * Rejects orders that receive nothing. One that was received completely still receives replacements of returned goods,
 * and what the tolerance allows.
 * @throws AppError 409 `invalid_transition`
 */
function requireReceivable(order: PurchaseOrderRecord, input: ReceiptInput, terms: ReceivingTerms): void {
  if (order.status === 'ordered' || order.status === 'partially_received') return;
  const isReceivable = order.lines.some((line) => {
    const kept = toKeptLine(line, terms);
    const quantity =
      input.lines === undefined
        ? computeOutstandingQuantity(kept)
        : computeReceivableQuantity(kept, terms.tolerancePercent);
    return quantity.gt(0);
  });
  if (order.status !== 'received' || !isReceivable)
    throw invalidOrderTransitionError(order, 'received', ['ordered', 'partially_received']);
}

/**
 * The received quantity of each line.
 * @throws AppError 400; 409 `over_receipt` with the quantities that can still be received
 */
function computeArrivals(order: PurchaseOrderRecord, input: ReceiptInput, terms: ReceivingTerms): ArrivingLine[] {
  const all = order.lines.map((line) => ({
    lineId: line.lineId,
    quantity: computeOutstandingQuantity(toKeptLine(line, terms)),
    unitCost: undefined,
  }));
  const requested = input.lines ?? all.filter(({ quantity }) => quantity.gt(0));
  const problems: FieldProblem[] = [];
  const beyond: FieldProblem[] = [];
  const arrivals = requested.flatMap(({ lineId, quantity, unitCost }, index): ArrivingLine[] => {
    const field = `lines[${index}]`;
    const line = order.lines.find((each) => each.lineId === lineId);
    if (line === undefined || requested.findIndex((other) => other.lineId === lineId) !== index) {
      const problem = line === undefined ? 'is not a line of the order' : 'is named twice';
      problems.push({ field: `${field}.lineId`, problem });
      return [];
    }
    const maxQuantity = computeReceivableQuantity(toKeptLine(line, terms), terms.tolerancePercent);
    if (quantity.gt(maxQuantity))
      beyond.push({ field: `${field}.quantity`, problem: `must be at most ${maxQuantity.toFixed()}` });
    return [{ line, quantity, unitCost: unitCost ?? fromDecimal128(line.unitCost), field: `${field}.quantity` }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  if (beyond.length > 0)
    throw conflictError(
      'over_receipt',
      `More than was ordered: ${beyond.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`,
      { fields: beyond },
    );
  return arrivals;
}

async function receiveGoods(
  unit: UnitOfWork,
  caller: BusinessCaller,
  arrivals: readonly ArrivingLine[],
  receipt: { id: number; exchangeRate: Decimal; at: Date },
): Promise<void> {
  const { organisationId, company } = caller;
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const posting = {
    organisationId,
    kind: 'receipt',
    invoiceId: null,
    sourceId: receipt.id,
    baseDecimals,
    at: receipt.at,
  } as const;
  for (const { line, quantity, unitCost, field } of arrivals) {
    if (line.warehouseId === null) continue;
    const { lineId, productId, productCode, description, warehouseId } = line;
    const goods = { lineId, field, productId, productCode, productName: description, warehouseId, quantity };
    await receiveStock(unit, posting, goods, unitCost.times(receipt.exchangeRate));
  }
}

const buildBoughtLines = (
  caller: BusinessCaller,
  catalogue: Catalogue,
  arrivals: readonly ArrivingLine[],
  date: string,
): (BoughtLine & { productId: number; description: string })[] => {
  const problems: FieldProblem[] = [];
  const lines = arrivals.flatMap(({ line, quantity, unitCost }, index) => {
    const requested = { taxRateId: line.taxRateId, date, field: `lines[${index}].taxRateId` };
    const taxRate = findLineTaxRate(caller, catalogue.taxRates, requested, problems);
    const { productId, description } = line;
    return taxRate === null ? [] : [{ quantity, unitCost, taxRate, productId, description }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  return lines;
};

interface ReceiptContext {
  orderId: number;
  payableId: number;
  date: string;
  requireExchangeRate: (currencyCode: string) => Promise<Decimal>;
  catalogue: Catalogue;
}

async function writeReceipt(
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: ReceiptInput,
  { orderId, payableId, date, requireExchangeRate, catalogue }: ReceiptContext,
): Promise<{ order: PurchaseOrderRecord; receipt: PayableRecord }> {
  const { organisationId, company } = caller;
  const at = unit.platform.clock.now();
  await requireOpenPeriod(unit, caller, date, 'date');
  const order = await getRecord(caller, PURCHASE_ORDER_KIND, orderId, unit);
  const returned = await readReturnedQuantities(order, unit.mongoSession);
  const terms = { returned, tolerancePercent: fromDecimal128(company.overReceiptTolerancePercent) };
  requireReceivable(order, input, terms);
  if (date < order.orderDate) throw invalidFieldError('date', `must not be before the order, ${order.orderDate}`);
  const arrivals = computeArrivals(order, input, terms);
  const exchangeRate = await requireExchangeRate(order.currencyCode);
  const lines = buildBoughtLines(caller, catalogue, arrivals, date);
  const calculation = calculatePurchase(caller, lines, order.currencyCode);
  const vendor = await Vendor.findOne({ organisationId, id: order.vendorId })
    .session(unit.mongoSession)
    .orFail()
    .lean<VendorRecord>();
  await receiveGoods(unit, caller, arrivals, { id: payableId, exchangeRate, at });
  const receipt = await postPayable(unit, caller, {
    type: 'receipt',
    id: payableId,
    number: await allocateReceiptNumber(unit, organisationId),
    vendor,
    date,
    dueDate: computeDueDate(date, vendor.paymentTerms ?? company.defaultPaymentTerms),
    currencyCode: order.currencyCode,
    exchangeRate,
    lines,
    calculation,
    orderId,
    reference: input.reference,
    at,
  });
  const received = order.lines.map((line) => {
    const arrived = arrivals.find((arrival) => arrival.line.lineId === line.lineId);
    return arrived === undefined
      ? line
      : { ...line, received: toDecimal128(fromDecimal128(line.received).plus(arrived.quantity)) };
  });
  const status = computeReceivedStatus(
    received.map((line) => ({ quantity: fromDecimal128(line.quantity), received: fromDecimal128(line.received) })),
  );
  const entry = { fields: ['lines', 'status'], action: 'purchase_order.received' };
  const changed = await replaceRecord(
    unit,
    caller,
    PURCHASE_ORDER_KIND,
    { ...order, lines: received, status, updatedAt: at },
    entry,
  );
  return { order: changed, receipt };
}

/**
 * Receives goods of an order, in whole or in part: posts them to stock at their cost, converted at the rate of the
 * day, and creates an unbilled payable, which the bill of the vendor replaces later, in one transaction.
 * @throws AppError 400; 404; 409 `over_receipt`, `invalid_transition`, `period_locked`
 */
export async function receiveOrder(
  request: BusinessRequest,
  orderId: number,
  input: ReceiptInput,
): Promise<{ order: PurchaseOrderRecord; receipt: PayableRecord }> {
  const { platform, caller } = request;
  const { organisationId } = caller;
  const write = () =>
    postIdempotently(
      request,
      async (post) => {
        const date = resolvePostingDate(platform, caller, input.date);
        await getRecord(caller, PURCHASE_ORDER_KIND, orderId);
        const requireExchangeRate = async (currencyCode: string): Promise<Decimal> => {
          const rate = await findExchangeRate(caller, currencyCode, date);
          if ('problem' in rate) throw invalidFieldError('date', `${currencyCode} ${rate.problem}`);
          return rate;
        };
        const catalogue = await readCatalogue(caller, []);
        return post(async (unit) => {
          const payableId = await reserveNumberInTransaction(unit.mongoSession, organisationId, PAYABLE_COUNTER);
          const context = { orderId, payableId, date, requireExchangeRate, catalogue };
          return { id: payableId, status: 201, result: await writeReceipt(unit, caller, input, context) };
        });
      },
      async (id) => {
        const receipt = await Payable.findOne({ organisationId, type: 'receipt', id }).orFail().lean<PayableRecord>();
        const order = await PurchaseOrder.findOne({ organisationId, id: receipt.orderId ?? 0 })
          .orFail()
          .lean<PurchaseOrderRecord>();
        return { order, receipt };
      },
    );
  return withCurrentTaxRates(write);
}

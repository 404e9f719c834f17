import { divideTotals } from '../../../domain/business/accounting/tax-postings';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import {
  computeCreditedBase,
  computeRestComponents,
  sumBaseTotals,
} from '../../../domain/business/credit-notes/credited-base';
import type { CreditedRate } from '../../../domain/business/credit-notes/credited-base';
import { sumTaxedAmounts } from '../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../domain/business/taxed-amount';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { BaseTotals } from '../../../domain/business/invoices/invoice-calculation';
import { computeReturnedAmounts } from '../../../domain/business/purchasing/vendor-returns';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableBaseRate, PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { groupByTaxRate, readTaxRates } from '../accounting/journal-context';
import { groupPayableRates, toPayableFacts } from '../accounting/payable-facts';
import type { ReturnedLine } from './vendor-return-lines';

/** A credit note of returned goods in base currency. */
export interface ReturnedBase {
  totals: BaseTotals;
  rates: PayableBaseRate[];
  /** The part of the exchange difference of the bill that is taken back. */
  exchangeDifference: Decimal;
}

/** A row of a document in its currency and in base currency. */
type BaseRow = ReturnType<typeof divideTotals>[number];

type RateContext = Parameters<typeof toPayableFacts>[0];

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };

/** The rows of a payable by the key of their rate. */
function divideByRate(context: RateContext, payable: PayableRecord): Map<string, BaseRow> {
  const rows = divideTotals(toPayableFacts(context, payable));
  const keys = [...groupPayableRates(context, payable).keys()];
  return new Map(rows.flatMap((row, index) => keys.slice(index, index + 1).map((key) => [key, row])));
}

const toBaseAmount = ({ baseNet, baseTax }: BaseRow): TaxedAmount => ({ net: baseNet, tax: baseTax });

/** A tax rate with what the bill charges, what earlier returns took back, and what this one credits. */
interface ReturnedRate {
  key: string;
  billed: BaseRow | undefined;
  before: BaseRow[];
  credited: TaxRow | undefined;
}

const toCreditedRate = ({ billed, before, credited }: ReturnedRate): CreditedRate => ({
  invoiced: billed ?? NOTHING,
  invoicedBase: billed === undefined ? NOTHING : toBaseAmount(billed),
  creditedBefore: sumTaxedAmounts(before),
  credited: credited ?? NOTHING,
  postedBase: sumTaxedAmounts(before.map(toBaseAmount)),
  discount: NOTHING,
  deducted: NOTHING,
  discountBase: NOTHING,
});

/** The parts of the tax of the credit note that completes a rate of several taxes. */
function buildComponents({ billed, before, credited }: ReturnedRate, decimals: number) {
  if (billed?.components === undefined || credited === undefined) return {};
  if (!sum([...before, credited].map(({ tax }) => tax)).eq(billed.tax)) return {};
  const toTax = ({ baseTax, components }: BaseRow) => ({ tax: baseTax, ...(components && { components }) });
  const left = computeRestComponents(toTax(billed), before.map(toTax), decimals);
  return left === null ? {} : { components: left.map(toDecimal128) };
}

function buildBaseRate(rate: ReturnedRate, amounts: TaxedAmount, decimals: number): PayableBaseRate {
  const before = sumTaxedAmounts(rate.before);
  const beforeBase = sumTaxedAmounts(rate.before.map(toBaseAmount));
  return {
    rate: rate.key,
    net: toDecimal128(amounts.net),
    tax: toDecimal128(amounts.tax),
    ...buildComponents(rate, decimals),
    creditedBefore: { base: toDecimal128(beforeBase.net), amount: toDecimal128(before.net) },
  };
}

/** The net amount of the returned quantity of a received line. */
function computeReturnedNet(line: PayableLine, quantity: Decimal, decimals: number): Decimal {
  const received = {
    quantity: fromDecimal128(line.quantity),
    net: fromDecimal128(line.net),
    tax: fromDecimal128(line.tax),
  };
  return computeReturnedAmounts(received, ZERO, quantity, decimals).net;
}

/**
 * The part of the exchange difference between a bill and its receipts that belongs to what was returned since, by the
 * received net amounts, rounded cumulatively.
 */
async function computeExchangeShare(
  unit: UnitOfWork,
  bill: PayableRecord,
  { receiptId, lines }: { receiptId: number; lines: readonly ReturnedLine[] },
  { notes, baseDecimals }: { notes: readonly PayableRecord[]; baseDecimals: number },
): Promise<Decimal> {
  const { organisationId, receiptIds, currencyCode } = bill;
  const whole = bill.exchangeDifference === undefined ? ZERO : fromDecimal128(bill.exchangeDifference);
  if (whole.isZero()) return ZERO;
  const receipts = await Payable.find({ organisationId, type: 'receipt', id: { $in: receiptIds } })
    .session(unit.mongoSession)
    .lean<PayableRecord[]>();
  const decimals = getCurrencyDecimals(currencyCode);
  const getBefore = ({ unbilledReturns }: PayableRecord): Decimal =>
    unbilledReturns === undefined ? ZERO : fromDecimal128(unbilledReturns.total);
  const received = sum(receipts.map((receipt) => fromDecimal128(receipt.total).minus(getBefore(receipt))));
  if (received.isZero()) return ZERO;
  const returned = receipts.map((receipt) => {
    const nets = receipt.lines.map((line) => {
      const now = receipt.id === receiptId ? lines.filter((each) => each.line.lineId === line.lineId) : [];
      const earlier = line.returned === undefined ? ZERO : fromDecimal128(line.returned);
      return computeReturnedNet(line, sum([earlier, ...now.map(({ quantity }) => quantity)]), decimals);
    });
    return sum(nets).minus(getBefore(receipt));
  });
  const posted = notes.map(({ exchangeDifference: each }) => (each === undefined ? ZERO : fromDecimal128(each)));
  return round(whole.times(sum(returned)).div(received), baseDecimals).minus(sum(posted));
}

/**
 * Converts what is credited of a bill at its exchange rate. Every tax rate, the tax for which the buyer is liable and the
 * exchange difference are rounded cumulatively over the returns of the bill, so that those of everything leave nothing.
 */
export async function convertReturn(
  unit: UnitOfWork,
  bill: PayableRecord,
  returned: { receiptId: number; lines: readonly ReturnedLine[] },
  baseDecimals: number,
): Promise<ReturnedBase> {
  const { organisationId, id, exchangeRate } = bill;
  const filter = { organisationId, type: 'credit_note', creditedBillId: id, returnedCost: { $exists: true } } as const;
  const notes = await Payable.find(filter).session(unit.mongoSession).lean<PayableRecord[]>();
  const context = { taxRates: await readTaxRates(organisationId), baseDecimals };
  const billed = divideByRate(context, bill);
  const before = notes.map((note) => divideByRate(context, note));
  const credited = groupByTaxRate(
    context,
    returned.lines.map(({ line: { taxRateId }, net, tax }) => ({ taxRateId, net, tax })),
  );
  const rates = [...new Set([...billed.keys(), ...credited.keys()])].map((key) => ({
    key,
    billed: billed.get(key),
    before: before.flatMap((rows) => rows.get(key) ?? []),
    credited: credited.get(key),
  }));
  const amounts = computeCreditedBase(rates.map(toCreditedRate), fromDecimal128(exchangeRate), baseDecimals);
  return {
    totals: sumBaseTotals(amounts),
    rates: rates.flatMap((rate, index) =>
      rate.credited === undefined ? [] : [buildBaseRate(rate, amounts[index] ?? NOTHING, baseDecimals)],
    ),
    exchangeDifference: await computeExchangeShare(unit, bill, returned, { notes, baseDecimals }),
  };
}

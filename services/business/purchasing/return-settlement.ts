import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeRoundingTolerance } from '../../../domain/business/purchasing/bill-matching';
import type { InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { findOpenItem, reduceOpenAmount } from '../payments/open-items';
import { applyVendorCredit, rejectExcessiveBillCredit } from './bill-credits';
import { receiptSettledError } from './bill-receipts';
import { postPayable } from './payables';
import { PAYABLE_COUNTER } from './receipts';
import { convertReturn } from './returned-base';
import { getTaxRate } from './vendor-return-lines';
import type { ReturnedLine, TaxRates } from './vendor-return-lines';

/** Amounts of a return: in the currency of the receipt, in base currency, and the value that left stock. */
export interface ReturnFigures {
  total: Decimal;
  taxTotal: Decimal;
  baseTotal: Decimal;
  baseTaxTotal: Decimal;
  cost: Decimal;
}

interface ReturnContext {
  receipt: PayableRecord;
  lines: readonly ReturnedLine[];
  figures: ReturnFigures;
  date: string;
  number: string;
  at: Date;
}

/** How a return was settled. */
export interface ReturnSettlement {
  figures: ReturnFigures;
  exchangeRate: Decimal;
  creditNoteId: number | null;
}

/** The tax in base currency, rounded cumulatively, so that all returns of a receipt add up to that of the receipt. */
function convertReturnedTax(
  { unbilledReturns: before, exchangeRate }: PayableRecord,
  taxTotal: Decimal,
  baseDecimals: number,
): Decimal {
  const rate = fromDecimal128(exchangeRate);
  if (before === undefined) return round(taxTotal.times(rate), baseDecimals);
  const until = fromDecimal128(before.taxTotal).plus(taxTotal);
  return round(until.times(rate), baseDecimals).minus(fromDecimal128(before.baseTaxTotal));
}

/**
 * Reduces the unbilled payable of a receipt; its tax was not deducted yet.
 * @throws AppError 409 `receipt_settled` if the receipt has been paid
 */
export async function reduceUnbilledPayable(
  unit: UnitOfWork,
  { organisationId, company }: BusinessCaller,
  { receipt, figures, date, at }: ReturnContext,
): Promise<ReturnSettlement> {
  const exchangeRate = fromDecimal128(receipt.exchangeRate);
  const item = await findOpenItem(unit, { organisationId, side: 'payable', kind: 'receipt', id: receipt.id });
  const amount = figures.total.plus(figures.taxTotal);
  if (item === null) throw new Error('a receipt has no open item');
  if (amount.isZero()) return { figures, exchangeRate, creditNoteId: null };
  if (amount.gt(fromDecimal128(item.open))) throw await receiptSettledError(unit, 'receiptId', item);
  const entry = { kind: 'returned', date, at } as const;
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const { base } = await reduceOpenAmount(unit, item, 'reversed', amount, baseDecimals, entry);
  const baseTaxTotal = convertReturnedTax(receipt, figures.taxTotal, baseDecimals);
  // The ledger rounds what is left of the payable; the net amount takes the difference.
  return {
    figures: { ...figures, baseTotal: base.minus(baseTaxTotal), baseTaxTotal },
    exchangeRate,
    creditNoteId: null,
  };
}

/** The amounts of the lines as the calculation of a document. */
function buildCalculation(lines: readonly ReturnedLine[], { total, taxTotal }: ReturnFigures): InvoiceCalculation {
  return {
    lines: lines.map(({ net, tax }) => ({
      gross: net,
      discount: ZERO,
      adjustments: [],
      isOverdiscounted: false,
      net,
      tax,
    })),
    adjustments: [],
    taxes: [],
    total,
    taxTotal,
    grandTotal: total.plus(taxTotal),
  };
}

/**
 * Posts a credit note of the vendor at the exchange rate of the bill. It first reduces the bill; the remainder is a
 * credit that can be applied or refunded.
 * @throws AppError 409 for a number that exists already; `credit_exceeds_bill` for more than the bill is worth
 */
export async function creditReturn(
  unit: UnitOfWork,
  caller: BusinessCaller,
  {
    receipt,
    lines,
    figures,
    date,
    number,
    at,
    taxRates,
    creditNoteNumber,
  }: ReturnContext & { taxRates: TaxRates; creditNoteNumber: string },
): Promise<ReturnSettlement> {
  const { organisationId, company } = caller;
  const { mongoSession } = unit;
  const billId = receipt.billId ?? 0;
  const bill = await Payable.findOne({ organisationId, id: billId })
    .session(mongoSession)
    .orFail()
    .lean<PayableRecord>();
  const debit = await findOpenItem(unit, { organisationId, side: 'payable', kind: 'bill', id: billId });
  await rejectExcessiveBillCredit(
    unit,
    debit,
    lines.map(({ line: { taxRateId }, net, tax }) => ({ taxRateId, net, tax })),
    computeRoundingTolerance(bill.lines.length, getCurrencyDecimals(bill.currencyCode)),
  );
  const id = await reserveNumberInTransaction(mongoSession, organisationId, PAYABLE_COUNTER);
  const exchangeRate = fromDecimal128(bill.exchangeRate);
  const returned = { receiptId: receipt.id, lines };
  const base = await convertReturn(unit, bill, returned, getCurrencyDecimals(company.baseCurrencyCode));
  await postPayable(unit, caller, {
    type: 'credit_note',
    id,
    number: creditNoteNumber,
    vendor: { id: receipt.vendorId, name: receipt.vendorName },
    date,
    dueDate: date,
    currencyCode: receipt.currencyCode,
    exchangeRate,
    lines: lines.map(({ line, productId, quantity, unitCost }) => ({
      productId,
      description: line.description,
      quantity,
      unitCost,
      taxRate: getTaxRate(taxRates, line),
    })),
    calculation: buildCalculation(lines, figures),
    reference: number,
    differences: { price: ZERO, quantity: ZERO, exchange: base.exchangeDifference },
    returned: { cost: figures.cost, base },
    creditedBillId: billId,
    at,
  });
  await applyVendorCredit(unit, caller, { id, debit, date, isAtSameRate: true });
  const inBase = { baseTotal: base.totals.total, baseTaxTotal: base.totals.taxTotal };
  return { figures: { ...figures, ...inBase }, exchangeRate, creditNoteId: id };
}

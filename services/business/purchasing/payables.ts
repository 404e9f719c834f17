import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { MAX_AMOUNT, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { convertTotals, exceedsLimit } from '../../../domain/business/invoices/invoice-calculation';
import type { InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import type { BillDifferences } from '../../../domain/business/purchasing/bill-matching';
import { invalidFieldError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { BilledReceipt, PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { postItem } from '../payments/open-items';
import { recordTaxRateUses } from '../settings/tax-rate-uses';
import type { BoughtLine } from './lines';
import type { ReturnedBase } from './returned-base';

/** A calculated payable, without its id. */
export interface NewPayable {
  type: PayableRecord['type'];
  id: number;
  number: string;
  vendor: { id: number; name: string };
  date: string;
  /** The day whose tax rates apply. @default `date` */
  supplyDate?: string;
  dueDate: string;
  currencyCode: string;
  exchangeRate: Decimal;
  lines: (BoughtLine & { productId: number | null; description: string; isRounding?: boolean })[];
  calculation: InvoiceCalculation;
  orderId?: number;
  receiptIds?: number[];
  billedReceipts?: BilledReceipt[];
  differences?: BillDifferences;
  reference?: string | undefined;
  /** For a credit note of returned goods: the value that left stock, and its amounts in base currency. */
  returned?: { cost: Decimal; base: ReturnedBase };
  /** For a credit note: the bill that it credits. */
  creditedBillId?: number | undefined;
  at: Date;
}

const buildPayableLine = (payable: NewPayable, index: number): PayableLine[] => {
  const line = payable.lines[index];
  const figures = payable.calculation.lines[index];
  if (line === undefined) return [];
  return [
    {
      lineId: index + 1,
      productId: line.productId,
      description: line.description,
      quantity: toDecimal128(line.quantity),
      unitCost: toDecimal128(line.unitCost),
      taxRateId: line.taxRate.id,
      net: toDecimal128(figures?.net ?? ZERO),
      tax: toDecimal128(figures?.tax ?? ZERO),
    },
  ];
};

/** The fields that only a credit note of returned goods has. */
const buildReturnFields = ({ returned }: NewPayable) =>
  returned && {
    returnedCost: toDecimal128(returned.cost),
    baseTotal: toDecimal128(returned.base.totals.total),
    baseTaxTotal: toDecimal128(returned.base.totals.taxTotal),
    baseRates: returned.base.rates,
  };

/** The amounts of a payable in base currency, at the rate of its date. */
export const convertToBase = (caller: BusinessCaller, calculation: InvoiceCalculation, exchangeRate: Decimal) =>
  convertTotals(calculation, exchangeRate, getCurrencyDecimals(caller.company.baseCurrencyCode));

function buildPayable(
  { organisationId, id: createdBy }: BusinessCaller,
  payable: NewPayable,
  baseGrandTotal: Decimal,
): PayableRecord {
  const { calculation, vendor, type, id, number, date, dueDate, currencyCode, exchangeRate, at } = payable;
  return {
    _id: new Types.ObjectId(),
    organisationId,
    type,
    id,
    number,
    vendorId: vendor.id,
    vendorName: vendor.name,
    date,
    dueDate,
    currencyCode,
    exchangeRate: toDecimal128(exchangeRate),
    lines: payable.lines.flatMap((_, index) => buildPayableLine(payable, index)),
    total: toDecimal128(calculation.total),
    taxTotal: toDecimal128(calculation.taxTotal),
    grandTotal: toDecimal128(calculation.grandTotal),
    baseGrandTotal: toDecimal128(baseGrandTotal),
    orderId: payable.orderId ?? null,
    billId: null,
    receiptIds: payable.receiptIds ?? [],
    priceDifference: toDecimal128(payable.differences?.price ?? ZERO),
    quantityDifference: toDecimal128(payable.differences?.quantity ?? ZERO),
    exchangeDifference: toDecimal128(payable.differences?.exchange ?? ZERO),
    reference: payable.reference ?? null,
    ...(payable.billedReceipts === undefined ? {} : { billedReceipts: payable.billedReceipts }),
    ...buildReturnFields(payable),
    ...(payable.supplyDate === undefined ? {} : { supplyDate: payable.supplyDate }),
    ...(payable.creditedBillId === undefined ? {} : { creditedBillId: payable.creditedBillId }),
    createdBy,
    createdAt: at,
  };
}

/**
 * Writes a payable with its open item and entry, and updates the balance of the vendor.
 * @throws AppError 400 if its total exceeds the maximum amount in its currency or in the base currency
 */
export async function postPayable(
  unit: UnitOfWork,
  caller: BusinessCaller,
  payable: NewPayable,
): Promise<PayableRecord> {
  const { organisationId } = caller;
  const { calculation, vendor, type, id, number, date, dueDate, currencyCode, exchangeRate, at } = payable;
  const base = payable.returned?.base.totals ?? convertToBase(caller, calculation, exchangeRate);
  if (exceedsLimit(calculation) || base.grandTotal.gt(MAX_AMOUNT))
    throw invalidFieldError('lines', `add up to more than ${MAX_AMOUNT.toFixed()}`);
  const record = buildPayable(caller, payable, base.grandTotal);
  await recordTaxRateUses(
    unit,
    organisationId,
    payable.lines.map(({ taxRate }) => taxRate),
  );
  await Payable.create([record], { session: unit.mongoSession });
  await postItem(unit, {
    organisationId,
    side: 'payable',
    kind: type,
    id,
    number,
    partyId: vendor.id,
    partyName: vendor.name,
    reference: payable.reference ?? null,
    currencyCode,
    exchangeRate,
    date,
    dueDate,
    amount: calculation.grandTotal,
    amountBase: base.grandTotal,
    at,
  });
  return record;
}

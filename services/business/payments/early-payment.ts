import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { ChargedTaxes } from '../../../domain/business/payments/deductions';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readInvoiceTaxes } from './document-taxes';

/** A discount for early payment that an open invoice grants, with what it reduces by rate. */
export interface AvailableDiscount extends ChargedTaxes {
  /** Last day of payment, `YYYY-MM-DD`. */
  until: string;
  /** Discount on what the invoice charges less its credit notes, less what customers took of it before. */
  amount: Decimal;
}

/** Sums the discounts that customers took of these invoices and that are not reversed, by id of the invoice. */
async function readTakenDiscounts(
  organisationId: string,
  ids: readonly number[],
  unit: UnitOfWork | null,
): Promise<Map<number, Decimal>> {
  if (ids.length === 0) return new Map();
  const mongoSession = unit?.mongoSession ?? null;
  const invoices = { organisationId, side: 'receivable', kind: 'invoice', id: { $in: [...ids] } } as const;
  const items = await OpenItem.find(invoices, { _id: 1 }).session(mongoSession).lean<Pick<OpenItemRecord, '_id'>[]>();
  const itemId = { $in: items.map(({ _id }) => _id) };
  const discounts = { organisationId, itemId, reversedOn: null, kind: 'discount' } as const;
  const deductions = await Deduction.find(discounts, { documentId: 1, amount: 1 })
    .session(mongoSession)
    .lean<Pick<DeductionRecord, 'documentId' | 'amount'>[]>();
  const taken = new Map<number, Decimal>();
  for (const { documentId, amount } of deductions)
    taken.set(documentId, (taken.get(documentId) ?? ZERO).plus(fromDecimal128(amount)));
  return taken;
}

/** Reads the discounts of open invoices, less what was granted before, by id of the invoice. */
export async function readDiscounts(
  organisationId: string,
  items: readonly Pick<OpenItemRecord, 'side' | 'kind' | 'id'>[],
  unit: UnitOfWork | null,
): Promise<Map<number, AvailableDiscount>> {
  const invoices = items.filter(({ side, kind }) => side === 'receivable' && kind === 'invoice');
  const granted = { 'document.earlyPaymentDiscount': { $exists: true } };
  const ids = invoices.map(({ id }) => id);
  const found = await readInvoiceTaxes(organisationId, ids, unit, granted);
  const taken = await readTakenDiscounts(organisationId, [...found.keys()], unit);
  return new Map(
    [...found].flatMap(([id, { taxes, charged, terms, prepayments, decimals }]) => {
      if (terms === null) return [];
      const whole = round(charged.minus(prepayments).times(terms.percent).div(100), decimals);
      const amount = whole.minus(taken.get(id) ?? ZERO);
      return amount.lte(0) ? [] : [[id, { until: terms.until, amount, taxes, charged }] as const];
    }),
  );
}

/** The part of an allocation that decides on its discount. */
export interface DiscountRequest {
  /** As sent; undefined if the client names none. */
  discount: Decimal | undefined;
  /** Amount in the currency of the document. */
  settled: Decimal;
  /** Day on which the money arrived. */
  paidOn: string;
  /** Prefix of the request fields. */
  at: string;
}

const notAvailableError = (field: string, problem: string) => {
  const fields: FieldProblem[] = [{ field, problem }];
  return conflictError('discount_not_available', `${field}: ${problem}.`, { fields });
};

/**
 * Resolves the discount of an allocation: as named by the client, or by itself if the payment leaves exactly the discount
 * open on or before its last day. A discount closes the document.
 * @throws AppError 400 for too many decimals; 409 `discount_not_available` if the terms do not grant it
 */
export function resolveDiscount(
  { discount, settled, paidOn, at }: DiscountRequest,
  debit: OpenItemRecord,
  available: AvailableDiscount | undefined,
): Decimal {
  const open = fromDecimal128(debit.open);
  const field = `${at}discount`;
  if (discount === undefined) {
    const isGranted = available !== undefined && paidOn <= available.until && settled.plus(available.amount).eq(open);
    return isGranted ? available.amount : ZERO;
  }
  if (discount.isZero()) return ZERO;
  const decimals = getCurrencyDecimals(debit.currencyCode);
  if (discount.decimalPlaces() > decimals)
    throw invalidFieldError(field, `must have at most ${decimals} decimals in ${debit.currencyCode}`);
  if (available === undefined)
    throw notAvailableError(field, `must be 0: ${debit.number} grants no discount for early payment`);
  if (paidOn > available.until)
    throw notAvailableError(field, `must be 0: the discount of ${debit.number} ended on ${available.until}`);
  if (discount.gt(available.amount))
    throw notAvailableError(field, `must be at most ${available.amount.toFixed()} ${debit.currencyCode}`);
  if (!settled.plus(discount).eq(open))
    throw notAvailableError(
      field,
      `must be 0 unless amount and discount are together the open amount of ${debit.number}, ${open.toFixed()} ${debit.currencyCode}`,
    );
  return discount;
}

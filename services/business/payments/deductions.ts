import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { divideCharged, fromShareText, toShareText } from '../../../domain/business/payments/deductions';
import type { ChargedTaxes, DeductionKind, TaxShare } from '../../../domain/business/payments/deductions';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { updateInvoiceStatus } from '../invoices/invoice-status';
import { computeDueTaxes, computeReleasedDueTaxes, computeReversedDueTaxes } from './deposit-taxes';
import { reduceOpenAmount, restoreOpenAmount } from './open-items';

/** A reduction of an open item without money, with what its document charges by rate; nothing for a credit. */
export interface NewDeduction extends ChargedTaxes {
  kind: DeductionKind;
  id: number;
  /** Amount in the currency of the item, with tax; at most what is open. */
  amount: Decimal;
  /** `YYYY-MM-DD` */
  date: string;
  reason: string | null;
  /** The deposit invoice that is deducted, all of it. */
  deposit?: Pick<InvoiceRecord, 'id' | 'baseGrandTotal' | 'baseTaxTotal'>;
}

/** Reads what earlier deductions corrected of the document of an item. Deposits are not among what it charges. */
async function readCorrected(unit: UnitOfWork, { organisationId, _id: itemId }: OpenItemRecord): Promise<TaxShare[]> {
  const deductions = await listActiveDeductions(unit, { organisationId, itemId });
  return deductions.filter(({ kind }) => kind !== 'deposit').flatMap(({ taxes }) => taxes.map(fromShareText));
}

/** Reduces the open amount of an item, with the record from which the journal is derived. */
export async function postDeduction(
  unit: UnitOfWork,
  caller: BusinessCaller,
  item: OpenItemRecord,
  { kind, id, amount, date, reason, deposit, ...charged }: NewDeduction,
): Promise<{ deduction: DeductionRecord; item: OpenItemRecord }> {
  const at = unit.platform.clock.now();
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const reduced = await reduceOpenAmount(unit, item, 'settled', amount, baseDecimals, { kind, date, at });
  const corrected = await readCorrected(unit, item);
  const shares = divideCharged(charged, corrected, amount, getCurrencyDecimals(item.currencyCode));
  const tax = sum(shares.map((share) => share.tax));
  const deduction: DeductionRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    side: item.side,
    kind,
    id,
    partyId: item.partyId,
    partyName: item.partyName,
    itemId: item._id,
    itemKind: item.kind,
    documentId: item.id,
    documentNumber: item.number,
    currencyCode: item.currencyCode,
    date,
    amount: toDecimal128(amount),
    amountBase: toDecimal128(reduced.base),
    taxes: shares.map(toShareText),
    taxBase: deposit?.baseTaxTotal ?? toDecimal128(round(reduced.base.times(tax).div(amount), baseDecimals)),
    ...(deposit === undefined ? {} : { depositId: deposit.id, depositBase: deposit.baseGrandTotal }),
    ...(await computeDueTaxes(unit, reduced.item)),
    reason,
    reversedOn: null,
    reversalReason: null,
    createdBy: caller.id,
    createdAt: at,
  };
  await Deduction.create([deduction], { session: unit.mongoSession });
  await updateInvoiceStatus(unit, reduced.item, at);
  return { deduction, item: reduced.item };
}

/** Reverses a deduction by a counter-entry dated `date`; the amount is open again. */
export async function reverseDeduction(
  unit: UnitOfWork,
  deduction: DeductionRecord,
  date: string,
  reason: string | null,
): Promise<void> {
  const at = unit.platform.clock.now();
  const item = await OpenItem.findById(deduction.itemId).session(unit.mongoSession).lean<OpenItemRecord>();
  if (item === null) throw new Error('a deduction names an item that does not exist');
  const [amount, base] = [fromDecimal128(deduction.amount), fromDecimal128(deduction.amountBase)];
  const restored = await restoreOpenAmount(unit, item, 'settled', amount, base, { kind: 'reversal', date, at });
  const dueTaxes =
    deduction.kind === 'deposit'
      ? await computeReleasedDueTaxes(unit, deduction)
      : await computeReversedDueTaxes(unit, restored);
  const reversed = await Deduction.updateOne(
    { _id: deduction._id, reversedOn: null },
    { $set: { reversedOn: date, reversalReason: reason, ...dueTaxes } },
    { session: unit.mongoSession },
  );
  if (reversed.matchedCount === 0) throw new Error('a deduction was reversed within the transaction that read it');
  await updateInvoiceStatus(unit, restored, at);
}

/** Lists the deductions that are not reversed. */
export const listActiveDeductions = (
  unit: UnitOfWork,
  filter: Pick<DeductionRecord, 'organisationId'> & Partial<Pick<DeductionRecord, 'itemId' | 'side' | 'kind' | 'id'>>,
): Promise<DeductionRecord[]> =>
  Deduction.find({ ...filter, reversedOn: null })
    .session(unit.mongoSession)
    .sort({ _id: 1 })
    .lean<DeductionRecord[]>()
    .exec();

/** The sum of deductions in base currency. */
export const sumBase = (deductions: readonly DeductionRecord[]): Decimal =>
  deductions.reduce((total, { amountBase }) => total.plus(fromDecimal128(amountBase)), ZERO);

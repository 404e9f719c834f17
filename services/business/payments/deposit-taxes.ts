import { divideTotals } from '../../../domain/business/accounting/tax-postings';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import { round } from '../../../domain/business/decimal';
import {
  computeRest,
  fromShareText,
  toRestComponents,
  toShareText,
} from '../../../domain/business/payments/deductions';
import type { TaxShareText } from '../../../domain/business/payments/deductions';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { toTaxedTotals } from './document-taxes';

/** Net amounts and taxes of a deposit invoice by rate, in base currency. */
async function readDepositRows(unit: UnitOfWork, item: OpenItemRecord): Promise<{ rows: TaxRow[]; decimals: number }> {
  const invoice = await Invoice.findOne({ organisationId: item.organisationId, id: item.id }, { document: 1 })
    .session(unit.mongoSession)
    .lean<Pick<InvoiceRecord, 'document'>>();
  if (invoice === null) throw new Error('an item names an invoice that does not exist');
  const { document } = invoice;
  const decimals = document.baseCurrencyDecimals;
  const rows = divideTotals(toTaxedTotals(document));
  return {
    rows: rows.map(({ category, percent, baseNet, baseTax, components }) => ({
      category,
      percent,
      net: baseNet,
      tax: baseTax,
      ...(components && { components }),
    })),
    decimals,
  };
}

/** What a payment, credit or deduction, and its reversal, have changed of the taxes that are due of a deposit. */
type DueChange = Pick<AllocationRecord, 'depositTaxes' | 'reversalDepositTaxes' | 'reversedOn'>;

const listChanges = ({ depositTaxes = [], reversalDepositTaxes, reversedOn }: DueChange): TaxShareText[] => {
  if (reversedOn === null) return depositTaxes;
  return reversalDepositTaxes === undefined ? [] : [...depositTaxes, ...reversalDepositTaxes];
};

/** The taxes, as stored, that are due of a deposit by everything that has changed them. */
async function readDueTaxes(
  unit: UnitOfWork,
  { _id, id, organisationId, side }: OpenItemRecord,
): Promise<TaxShareText[]> {
  const { mongoSession } = unit;
  const allocations = await Allocation.find({ organisationId, side, debitItemId: _id })
    .session(mongoSession)
    .lean<AllocationRecord[]>();
  const deductions = await Deduction.find({ organisationId, $or: [{ itemId: _id }, { depositId: id }] })
    .session(mongoSession)
    .lean<DeductionRecord[]>();
  return [...allocations, ...deductions].flatMap(listChanges);
}

/** Finds out whether an invoice deducts a deposit. */
const isDeducted = async (unit: UnitOfWork, { organisationId, id }: OpenItemRecord): Promise<boolean> =>
  (await Deduction.exists({ organisationId, kind: 'deposit', depositId: id, reversedOn: null }).session(
    unit.mongoSession,
  )) !== null;

/** The part of the rows that is due for what is settled of a deposit. */
function takeSettledPart(rows: readonly TaxRow[], item: OpenItemRecord, decimals: number): TaxRow[] {
  const original = fromDecimal128(item.original);
  const share = original.minus(fromDecimal128(item.open)).div(original);
  return rows.map((row) => {
    const gross = round(row.net.plus(row.tax).times(share), decimals);
    const tax = round(row.tax.times(share), decimals);
    return { ...row, net: gross.minus(tax), tax };
  });
}

/**
 * The net amounts and taxes of a deposit invoice, in base currency, that a change of it makes due. They are negative if
 * the change makes them not due any more. The tax of the settled part is due. While an invoice deducts the deposit, the
 * tax of all of it is due: the deduction has reduced the tax of the final invoice, and the tax of what was supplied is due
 * whether it is paid or not. Computed from all earlier changes, so that cents of rounding do not remain.
 * @param item the deposit invoice after the change, whose record is not written or marked as reversed yet
 */
export async function computeDepositTaxes(
  unit: UnitOfWork,
  item: OpenItemRecord,
  isAllDue: boolean,
): Promise<TaxShareText[]> {
  const { rows, decimals } = await readDepositRows(unit, item);
  const due = (await readDueTaxes(unit, item)).map(fromShareText);
  if (isAllDue || fromDecimal128(item.open).isZero())
    return toRestComponents(computeRest(rows, due), rows, due, decimals).map(toShareText);
  return computeRest(takeSettledPart(rows, item, decimals), due).map(toShareText);
}

/** The same for an item of any kind: nothing unless it is a deposit invoice. */
export const computeDueTaxes = async (
  unit: UnitOfWork,
  item: OpenItemRecord,
): Promise<{ depositTaxes?: TaxShareText[] }> =>
  item.isDeposit === true ? { depositTaxes: await computeDepositTaxes(unit, item, await isDeducted(unit, item)) } : {};

/** The same for the reversal of an allocation or deduction. @param item the settled item with its restored amount */
export async function computeReversedDueTaxes(
  unit: UnitOfWork,
  item: OpenItemRecord,
): Promise<{ reversalDepositTaxes?: TaxShareText[] }> {
  const { depositTaxes } = await computeDueTaxes(unit, item);
  return depositTaxes === undefined ? {} : { reversalDepositTaxes: depositTaxes };
}

/**
 * The same when a deposit is not deducted any more: tax of a deposit whose payment was reversed meanwhile is not due any
 * more. Writes the item of the deposit, so that a concurrent change of it conflicts.
 */
export async function computeReleasedDueTaxes(
  unit: UnitOfWork,
  { organisationId, side, depositId }: DeductionRecord,
): Promise<{ reversalDepositTaxes?: TaxShareText[] }> {
  if (depositId === undefined) return {};
  const item = await OpenItem.findOneAndUpdate(
    { organisationId, side, kind: 'invoice', id: depositId },
    { $inc: { version: 1 } },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<OpenItemRecord>();
  // Deposits of versions before their tax depended on payments.
  if (item?.isDeposit !== true) return {};
  return { reversalDepositTaxes: await computeDepositTaxes(unit, item, false) };
}

/** Of a reversed record, the taxes whose reverse the counter-entry posts. */
export const listReversedTaxes = ({ depositTaxes, reversalDepositTaxes }: DueChange): TaxRow[] | undefined =>
  reversalDepositTaxes === undefined
    ? depositTaxes?.map(fromShareText)
    : reversalDepositTaxes
        .map(fromShareText)
        .map(({ net, tax, ...row }) => ({ ...row, net: net.neg(), tax: tax.neg() }));

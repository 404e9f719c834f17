import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, sum, ZERO } from '../../../domain/business/decimal';
import { applyCreditToDocument } from '../../../domain/business/payments/settlement';
import { conflictError } from '../../../domain/errors';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { allocate } from '../payments/allocations';
import { readBillTaxes, sumByRate } from '../payments/bill-taxes';
import type { TaxedLine } from '../payments/bill-taxes';
import { findOpenItem, getOpenAmounts } from '../payments/open-items';
import { buildCounterName } from '../payments/payments';
import { rejectWrittenOffCredit } from '../payments/written-off';

const sumGross = (rows: readonly Pick<TaxedLine, 'net' | 'tax'>[]): Decimal =>
  sum(rows.map(({ net, tax }) => net.plus(tax)));

/**
 * Rejects a credit note of a vendor that takes back more than its bill is worth: the total of the bill less its other
 * credit notes, and less what was written off of it, also at each rate. Without write-offs only the total counts, because
 * vendors can credit goods at another rate than they billed.
 * @param item the open item of the payable that the credit note names
 * @param lines of the credit note
 * @param tolerance by how much the lines can exceed the bill, because the vendor rounded its total
 * @throws AppError 409 `credit_exceeds_bill`
 */
export async function rejectExcessiveBillCredit(
  unit: UnitOfWork,
  item: OpenItemRecord | null,
  lines: readonly TaxedLine[],
  tolerance: Decimal = ZERO,
): Promise<void> {
  if (item?.kind !== 'bill') return;
  const { charged, credited } = await readBillTaxes(unit, item);
  await rejectWrittenOffCredit(unit, item, charged, [...credited, ...(await sumByRate(item.organisationId, lines))]);
  const amount = sumGross(lines);
  const left = Decimal.max(sumGross(charged).minus(sumGross(credited)), ZERO);
  if (amount.lte(left.plus(tolerance))) return;
  const { currencyCode, number } = item;
  const format = (value: Decimal): string => `${value.toFixed(getCurrencyDecimals(currencyCode))} ${currencyCode}`;
  throw conflictError(
    'credit_exceeds_bill',
    `The credit note of ${format(amount)} exceeds what is left of bill ${number} after its other credit notes, ${format(left)}.`,
    { left: left.toNumber() },
  );
}

/**
 * Applies a new credit note of a vendor to the payable that it credits, as far as that is open; the rest is a credit.
 * @param isAtSameRate whether both were converted at one rate, so that there is no exchange difference
 */
export async function applyVendorCredit(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { id, debit, date, isAtSameRate }: { id: number; debit: OpenItemRecord | null; date: string; isAtSameRate: boolean },
): Promise<void> {
  if (debit === null) return;
  const { organisationId } = caller;
  const credit = await findOpenItem(unit, { organisationId, side: 'payable', kind: 'credit_note', id });
  if (credit === null) throw new Error('a credit note has no open item');
  const { open, openBase } = getOpenAmounts(credit);
  const { applied, ...fixedBase } = applyCreditToDocument(getOpenAmounts(debit), { amount: open, base: openBase });
  if (applied.isZero()) return;
  const counter = buildCounterName('payable', 'allocations');
  const allocationId = await reserveNumberInTransaction(unit.mongoSession, organisationId, counter);
  const request = { id: allocationId, credit, debit, amount: applied, settled: applied, date, field: 'lines' };
  await allocate(unit, caller, isAtSameRate ? { ...request, fixedBase } : request);
}

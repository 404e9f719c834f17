import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readBillTaxes, sumByRate } from '../payments/bill-taxes';
import type { TaxedLine } from '../payments/bill-taxes';
import { rejectWrittenOffCredit } from '../payments/written-off';

/**
 * Rejects a credit note of a vendor that takes back what was written off of its bill.
 * @param item the open item of the payable that the credit note names
 * @param lines of the credit note
 * @throws AppError 409 `credit_exceeds_bill`
 */
export async function rejectWrittenOffBillCredit(
  unit: UnitOfWork,
  item: OpenItemRecord | null,
  lines: readonly TaxedLine[],
): Promise<void> {
  if (item?.kind !== 'bill') return;
  const { charged, credited } = await readBillTaxes(unit, item);
  await rejectWrittenOffCredit(unit, item, charged, [...credited, ...(await sumByRate(item.organisationId, lines))]);
}

import { sumGross } from '../../../domain/business/taxed-amount';
import { sum } from '../../../domain/business/decimal';
import { computeRest, fromShareText } from '../../../domain/business/payments/deductions';
import type { TaxShare } from '../../../domain/business/payments/deductions';
import { conflictError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveDeductions } from './deductions';

/**
 * Rejects a credit note that takes back, at a rate or in total, what was written off of its document. The write-off has
 * reduced net amount and tax already (§ 17 UStG, article 90 of the VAT directive); unlike a discount, it does not lower
 * what was agreed, so its part is not deducted from the credit note: the write-off is voided before.
 * @param charged net amounts and taxes of the document by rate
 * @param credited those of its earlier credit notes and of the new one
 * @throws AppError 409 `credit_exceeds_invoice`, `credit_exceeds_bill`
 */
export async function rejectWrittenOffCredit(
  unit: UnitOfWork,
  item: OpenItemRecord | null,
  charged: readonly TaxShare[],
  credited: readonly TaxShare[],
): Promise<void> {
  if (item === null) return;
  const { organisationId, side, _id: itemId } = item;
  const deductions = await listActiveDeductions(unit, { organisationId, itemId });
  const writeOffs = deductions.filter(({ kind }) => kind === 'write_off');
  if (writeOffs.length === 0) return;
  // A deposit that is deducted is credited with the invoice.
  const reduced = deductions.filter(({ kind }) => kind !== 'deposit').flatMap(({ taxes }) => taxes.map(fromShareText));
  const taken = [...reduced, ...credited];
  const left = computeRest(charged, taken);
  // The goods of a bill can have been received at another rate than the bill charges.
  const isExceeded = sumGross(taken).gt(sumGross(charged)) || left.some(({ net, tax }) => net.plus(tax).isNegative());
  if (!isExceeded) return;
  const total = sum(writeOffs.map(({ amount }) => fromDecimal128(amount)));
  const ids = writeOffs.map(({ id }) => id);
  const details = { writeOffIds: ids, routes: [`POST /api/${side}s/write-offs/:id/void`] };
  const explain = (document: string) =>
    `${total.toFixed()} ${item.currencyCode} of the ${document} was written off (write-off ${ids.join(', ')}), which has corrected net amount and tax of this part: void the write-off, then record the credit note.`;
  if (side === 'receivable') throw conflictError('credit_exceeds_invoice', explain('invoice'), details);
  throw conflictError('credit_exceeds_bill', explain('bill'), details);
}

import type { CreditNoteCalculation } from '../../../domain/business/credit-notes/credit-note-calculation';
import { sum } from '../../../domain/business/decimal';
import { computeRest, fromShareText } from '../../../domain/business/payments/deductions';
import type { TaxShare } from '../../../domain/business/payments/deductions';
import { conflictError } from '../../../domain/errors';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveDeductions } from '../payments/deductions';
import { toDocumentRows } from '../payments/document-taxes';
import { findOpenItem } from '../payments/open-items';

/** What a credit note takes back, by row of the tax table of its invoice. */
const listCredited = ({ document }: InvoiceRecord, { taxes }: CreditNoteCalculation): TaxShare[] =>
  toDocumentRows(document).flatMap((row, index) =>
    taxes.filter(({ taxKey }) => taxKey === String(index)).map(({ net, tax }): TaxShare => ({ ...row, net, tax })),
  );

/**
 * Rejects a credit note that takes back, at a rate, what was written off. The write-off has reduced revenue and tax
 * already (§ 17 UStG, article 90 of the VAT directive); unlike a discount, it does not lower what was agreed with the
 * customer, so its part is not deducted from the credit note: the write-off is voided before.
 * @throws AppError 409 `credit_exceeds_invoice`
 */
export async function rejectWrittenOffCredit(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  earlier: readonly CreditNoteRecord[],
  calculation: CreditNoteCalculation,
): Promise<void> {
  const { organisationId, id, document } = invoice;
  const item = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id });
  if (item === null) return;
  const deductions = await listActiveDeductions(unit, { organisationId, itemId: item._id });
  const writeOffs = deductions.filter(({ kind }) => kind === 'write_off');
  if (writeOffs.length === 0) return;
  // A deposit that is deducted is credited with the invoice.
  const reduced = deductions.filter(({ kind }) => kind !== 'deposit').flatMap(({ taxes }) => taxes.map(fromShareText));
  const credited = [...earlier.flatMap((note) => toDocumentRows(note.document)), ...listCredited(invoice, calculation)];
  const left = computeRest(toDocumentRows(document), [...reduced, ...credited]);
  if (left.every(({ net, tax }) => net.plus(tax).gte(0))) return;
  const total = sum(writeOffs.map(({ amount }) => fromDecimal128(amount)));
  const ids = writeOffs.map((writeOff) => writeOff.id);
  throw conflictError(
    'credit_exceeds_invoice',
    `${total.toFixed()} ${invoice.currencyCode} of the invoice was written off (write-off ${ids.join(', ')}), which has corrected revenue and tax of this part: void the write-off, then issue the credit note.`,
    { writeOffIds: ids, routes: ['POST /api/receivables/write-offs/:id/void'] },
  );
}

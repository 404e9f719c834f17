import type { CreditNoteCalculation } from '../../../domain/business/credit-notes/credit-note-calculation';
import type { TaxShare } from '../../../domain/business/payments/deductions';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { toDocumentRows } from '../payments/document-taxes';
import { findOpenItem } from '../payments/open-items';
import { rejectWrittenOffCredit } from '../payments/written-off';

/** What a credit note takes back, by row of the tax table of its invoice. */
const listCredited = ({ document }: InvoiceRecord, { taxes }: CreditNoteCalculation): TaxShare[] =>
  toDocumentRows(document).flatMap((row, index) =>
    taxes.filter(({ taxKey }) => taxKey === String(index)).map(({ net, tax }): TaxShare => ({ ...row, net, tax })),
  );

/**
 * Rejects a credit note that takes back, at a rate, what was written off of its invoice.
 * @throws AppError 409 `credit_exceeds_invoice`
 */
export async function rejectWrittenOffInvoiceCredit(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  earlier: readonly CreditNoteRecord[],
  calculation: CreditNoteCalculation,
): Promise<void> {
  const { organisationId, id, document } = invoice;
  const item = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id });
  const credited = [...earlier.flatMap((note) => toDocumentRows(note.document)), ...listCredited(invoice, calculation)];
  await rejectWrittenOffCredit(unit, item, toDocumentRows(document), credited);
}

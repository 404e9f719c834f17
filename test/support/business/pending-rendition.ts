import { newId } from '../../../lib/ids';
import { Invoice } from '../../../models/business/invoices/invoice';

/** Builds the record of a requested PDF of an invoice. Storing it does not wake the workflow that renders it. */
export async function buildPendingRendition(organisationId: string, invoiceId: number) {
  const { contentHash } = await Invoice.findOne({ organisationId, id: invoiceId }).orFail().lean();
  return {
    _id: newId('ren'),
    organisationId,
    documentKind: 'invoice',
    documentId: invoiceId,
    format: 'pdf',
    contentHash,
    status: 'pending',
    requestedAt: new Date(),
  } as const;
}

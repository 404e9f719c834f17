import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { notFoundError } from '../../../domain/errors';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord, StoredInvoice } from '../../../models/business/invoices/invoice';
import type { PrintedKind } from '../../../models/business/documents/rendition';
import { notIssuedError } from '../invoices/invoice-lists';

/** Identifies a document within the installation. */
export interface DocumentKey {
  organisationId: string;
  kind: PrintedKind;
  id: number;
}

/** The fields of an issued document of any kind that its renditions need, without its content. */
export interface IssuedRecord extends DocumentKey {
  number: string;
  contentHash: string;
  /** Date of voiding in the company's time zone, `YYYY-MM-DD`; null unless the document is void. */
  voidedOn: string | null;
}

/** Access to documents of one kind. */
interface DocumentSource {
  name: string;
  find(key: DocumentKey): Promise<IssuedRecord | null>;
  readContent(key: DocumentKey): Promise<IssuedDocument | null>;
}

const INVOICES: DocumentSource = {
  name: 'invoice',
  async find({ organisationId, kind, id }) {
    const invoice = await Invoice.findOne(
      { organisationId, id },
      { number: 1, contentHash: 1, status: 1, voidedOn: 1 },
    ).lean<Pick<InvoiceRecord, 'number' | 'contentHash' | 'voidedOn'> & Pick<StoredInvoice, 'status'>>();
    if (invoice === null) return null;
    const { number, contentHash, status, voidedOn } = invoice;
    if (status === 'draft')
      throw notIssuedError('A draft has no PDF; issue the invoice first.', 'POST /api/invoices/:id/issue');
    return { organisationId, kind, id, number, contentHash, voidedOn };
  },
  async readContent({ organisationId, id }) {
    const invoice = await Invoice.findOne({ organisationId, id }, { document: 1 }).lean<
      Pick<InvoiceRecord, 'document'>
    >();
    return invoice?.document ?? null;
  },
};

/** Credit notes are never drafts and cannot be voided. */
const CREDIT_NOTES: DocumentSource = {
  name: 'credit note',
  async find({ organisationId, kind, id }) {
    const note = await CreditNote.findOne({ organisationId, id }, { number: 1, contentHash: 1 }).lean<
      Pick<CreditNoteRecord, 'number' | 'contentHash'>
    >();
    if (note === null) return null;
    return { organisationId, kind, id, number: note.number, contentHash: note.contentHash, voidedOn: null };
  },
  async readContent({ organisationId, id }) {
    const note = await CreditNote.findOne({ organisationId, id }, { document: 1 }).lean<
      Pick<CreditNoteRecord, 'document'>
    >();
    return note?.document ?? null;
  },
};

const SOURCES: Readonly<Record<PrintedKind, DocumentSource>> = { invoice: INVOICES, credit_note: CREDIT_NOTES };

/** @throws AppError 404, also for a document of another organisation; 409 `invoice_not_issued` for a draft. */
export async function getIssuedRecord(key: DocumentKey): Promise<IssuedRecord> {
  const source = SOURCES[key.kind];
  const record = await source.find(key);
  if (record === null) throw notFoundError(source.name);
  return record;
}

/**
 * Reads the content of a document, which does not change after issue.
 * @throws AppError 404 as {@link getIssuedRecord}.
 */
export async function readIssuedDocument(key: DocumentKey): Promise<IssuedDocument> {
  const source = SOURCES[key.kind];
  const document = await source.readContent(key);
  if (document === null) throw notFoundError(source.name);
  return document;
}

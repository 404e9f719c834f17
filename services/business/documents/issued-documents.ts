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

/** An issued document with its content, which does not change after issue. */
export interface IssuedContent {
  issued: IssuedRecord;
  content: IssuedDocument;
}

/** Access to documents of one kind. */
interface DocumentSource {
  name: string;
  find(key: DocumentKey): Promise<IssuedRecord | null>;
  findContent(key: DocumentKey): Promise<IssuedContent | null>;
}

const INVOICE_FIELDS = { number: 1, contentHash: 1, status: 1, voidedOn: 1 } as const;

type InvoiceFields = Pick<InvoiceRecord, 'number' | 'contentHash' | 'voidedOn'> & Pick<StoredInvoice, 'status'>;

/** @throws AppError 409 `invoice_not_issued` for a draft */
function toIssuedInvoice(key: DocumentKey, { number, contentHash, status, voidedOn }: InvoiceFields): IssuedRecord {
  if (status === 'draft')
    throw notIssuedError('A draft has no PDF; issue the invoice first.', 'POST /api/invoices/:id/issue');
  return { ...key, number, contentHash, voidedOn };
}

const INVOICES: DocumentSource = {
  name: 'invoice',
  async find(key) {
    const { organisationId, id } = key;
    const invoice = await Invoice.findOne({ organisationId, id }, INVOICE_FIELDS).lean<InvoiceFields>();
    return invoice === null ? null : toIssuedInvoice(key, invoice);
  },
  async findContent(key) {
    const { organisationId, id } = key;
    const invoice = await Invoice.findOne({ organisationId, id }, { ...INVOICE_FIELDS, document: 1 }).lean<
      InvoiceFields & Pick<InvoiceRecord, 'document'>
    >();
    return invoice === null ? null : { issued: toIssuedInvoice(key, invoice), content: invoice.document };
  },
};

const NOTE_FIELDS = { number: 1, contentHash: 1 } as const;

type NoteFields = Pick<CreditNoteRecord, 'number' | 'contentHash'>;

/** Credit notes are never drafts and cannot be voided. */
const toIssuedNote = (key: DocumentKey, { number, contentHash }: NoteFields): IssuedRecord => ({
  ...key,
  number,
  contentHash,
  voidedOn: null,
});

const CREDIT_NOTES: DocumentSource = {
  name: 'credit note',
  async find(key) {
    const { organisationId, id } = key;
    const note = await CreditNote.findOne({ organisationId, id }, NOTE_FIELDS).lean<NoteFields>();
    return note === null ? null : toIssuedNote(key, note);
  },
  async findContent(key) {
    const { organisationId, id } = key;
    const note = await CreditNote.findOne({ organisationId, id }, { ...NOTE_FIELDS, document: 1 }).lean<
      NoteFields & Pick<CreditNoteRecord, 'document'>
    >();
    return note === null ? null : { issued: toIssuedNote(key, note), content: note.document };
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

/** Reads a document with its content. @throws AppError as {@link getIssuedRecord} */
export async function getIssuedContent(key: DocumentKey): Promise<IssuedContent> {
  const source = SOURCES[key.kind];
  const document = await source.findContent(key);
  if (document === null) throw notFoundError(source.name);
  return document;
}

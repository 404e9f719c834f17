import { reverseEntry } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { postCreditNote, postInvoice } from '../../../domain/business/accounting/postings';
import type { DocumentFacts } from '../../../domain/business/accounting/postings';
import type { DocumentSnapshot } from '../../../domain/business/invoices/invoice';
import { readOptions } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { toTaxedTotals } from '../payments/document-taxes';
import { onDays, onOptionalDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';

/** Without the lines, which are most of a document. */
const FIELDS = {
  id: 1,
  number: 1,
  customerId: 1,
  issueDate: 1,
  voidedOn: 1,
  'document.isDeposit': 1,
  'document.buyer.name': 1,
  'document.currencyCode': 1,
  'document.currencyDecimals': 1,
  'document.baseCurrencyDecimals': 1,
  'document.exchangeRate': 1,
  'document.taxes': 1,
  'document.total': 1,
  'document.taxTotal': 1,
  'document.baseTotal': 1,
  'document.baseTaxTotal': 1,
} as const;

type SalesDocument = Pick<InvoiceRecord | CreditNoteRecord, 'id' | 'number' | 'customerId' | 'issueDate'> & {
  document: DocumentSnapshot;
};

const toFacts = ({ id, number, customerId, issueDate, document }: SalesDocument): DocumentFacts => ({
  id,
  number,
  date: issueDate,
  currencyCode: document.currencyCode,
  party: { id: customerId, name: document.buyer.name },
  isDeposit: document.isDeposit ?? false,
  ...toTaxedTotals(document),
});

const postIssued = ({ chartOn }: JournalContext, invoice: SalesDocument): JournalEntry =>
  postInvoice(chartOn(invoice.issueDate), toFacts(invoice));

/** The condition of the invoices that were issued on some days. */
export const buildInvoiceFilter = ({ organisationId }: JournalContext, days: Days) =>
  ({ organisationId, issueDate: onDays(days), status: { $ne: 'draft' } }) as const;

/** The condition of the invoices that were voided on some days. */
export const buildVoidedInvoiceFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  voidedOn: onOptionalDays(days),
});

/** The condition of the credit notes that were issued on some days. */
export const buildCreditNoteFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  issueDate: onDays(days),
});

/** Entries of issued and voided invoices, and of credit notes. */
export async function readSalesEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession, chartOn } = context;
  const issued = await Invoice.find(buildInvoiceFilter(context, days), FIELDS)
    .setOptions(readOptions(mongoSession))
    .lean<InvoiceRecord[]>();
  const voided = await Invoice.find(buildVoidedInvoiceFilter(context, days), FIELDS)
    .setOptions(readOptions(mongoSession))
    .lean<InvoiceRecord[]>();
  const credited = await CreditNote.find(buildCreditNoteFilter(context, days), FIELDS)
    .setOptions(readOptions(mongoSession))
    .lean<CreditNoteRecord[]>();
  return [
    ...issued.map((invoice) => postIssued(context, invoice)),
    ...voided.map((invoice) =>
      reverseEntry(postIssued(context, invoice), {
        id: `invoice_void:${invoice.id}`,
        kind: 'invoice_void',
        date: invoice.voidedOn ?? invoice.issueDate,
        description: invoice.document.buyer.name,
      }),
    ),
    ...credited.map((note) => postCreditNote(chartOn(note.issueDate), toFacts(note))),
  ];
}

import { countDays } from '../calendar';
import type { Formats } from '../documents/formats';
import { toDecimalString } from '../documents/printable-document';
import type { DocumentLanguage, IssuedDocument } from '../invoices/invoice';
import type { StatementDocument } from '../payments/statement';
import { FEE_LABELS } from './default-templates';
import type { PlaceholderValues } from './templates';

/** A reminder, for the text of its message. */
export interface ReminderFacts {
  level: number;
  /** In the currency of the invoice; null: none. */
  fee: string | null;
  interestText: string | null;
  /** `YYYY-MM-DD` */
  today: string;
}

/** What a message says about a document. */
export interface DocumentFacts {
  document: IssuedDocument;
  /** Decimal in the currency of the document; null for a credit note. */
  openAmount: string | null;
  link: string | null;
  reminder: ReminderFacts | null;
}

const formatFee = (language: DocumentLanguage, fee: string | null, formats: Formats): string =>
  fee === null ? '' : `${FEE_LABELS[language]}${formats.money(toDecimalString(fee))}`;

/** The values of the placeholders for one message. @param formats of the document */
export function buildPlaceholderValues(
  { document, openAmount, link, reminder }: DocumentFacts,
  formats: Formats,
): PlaceholderValues {
  const dueDate = document.documentKind === 'invoice' ? document.dueDate : null;
  const isReminder = reminder !== null && dueDate !== null;
  return {
    companyName: document.seller.legalName,
    customerName: document.buyer.name,
    documentNumber: document.number,
    issueDate: formats.date(document.issueDate),
    dueDate: dueDate === null ? '' : formats.date(dueDate),
    total: formats.money(toDecimalString(document.grandTotal)),
    openAmount: openAmount === null ? '' : formats.money(toDecimalString(openAmount)),
    periodFrom: '',
    periodTo: '',
    link: link ?? '',
    daysOverdue: isReminder ? String(countDays(dueDate, reminder.today)) : '',
    level: isReminder ? String(reminder.level) : '',
    fee: formatFee(document.language, reminder?.fee ?? null, formats),
    interestText: reminder?.interestText ?? '',
  };
}

/**
 * The values of the placeholders for a statement.
 * @param balances closing balances by currency, formatted
 */
export const buildStatementValues = (
  { seller, customer, issueDate, from, to }: StatementDocument,
  balances: readonly string[],
  formats: Pick<Formats, 'date'>,
): PlaceholderValues => ({
  companyName: seller.legalName,
  customerName: customer.name,
  documentNumber: '',
  issueDate: formats.date(issueDate),
  dueDate: '',
  total: '',
  openAmount: balances.join(', '),
  periodFrom: formats.date(from),
  periodTo: formats.date(to),
  link: '',
  daysOverdue: '',
  level: '',
  fee: '',
  interestText: '',
});

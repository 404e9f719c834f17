import type { DocumentLanguage } from '../invoices/invoice';

/**
 * Version of the printed layout, frozen on the document at issue. Raise it when a change of the template would alter
 * the printed page of an invoice that exists already; the template prints every version up to it.
 */
export const DOCUMENT_TEMPLATE_VERSION = 3;

/** A decimal in plain notation, such as `-1234.50`: amounts stay exact on their way to the page. */
export type DecimalString = `${number}`;

/** A calendar date, `YYYY-MM-DD`. */
export type CalendarDate = string;

const DECIMAL = /^-?\d+(\.\d+)?$/;

const isDecimalString = (text: string): text is DecimalString => DECIMAL.test(text);

/**
 * @throws RangeError for anything but a decimal in plain notation; computed amounts always are, so this is a defect.
 */
export function toDecimalString(text: string): DecimalString {
  if (!isDecimalString(text)) throw new RangeError('A printed amount must be a decimal in plain notation.');
  return text;
}

/** Someone named on the document. */
export interface DocumentParty {
  name: string;
  /** Lines as they stand on an envelope, without the name; the country's name last where it differs. */
  addressLines: readonly string[];
  taxId?: string | undefined;
  registrationId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  website?: string | undefined;
}

export interface DocumentSeller extends DocumentParty {
  /** PNG or JPEG as a `data:` URL. */
  logo?: string | undefined;
  /** Rules and headings, `#rrggbb`. */
  accentColor?: string | undefined;
}

export interface DocumentLine {
  position: number;
  code?: string | undefined;
  name: string;
  description?: string | undefined;
  quantity: DecimalString;
  /** The unit as it is printed, such as `pcs` or `h`. */
  unit?: string | undefined;
  unitPrice: DecimalString;
  priceIncludesTax: boolean;
  discountPercent?: DecimalString | undefined;
  taxPercent: DecimalString;
  /** Net of the line after discount, in the currency's decimals. */
  net: DecimalString;
}

export interface DocumentTax {
  name?: string | undefined;
  percent: DecimalString;
  taxable: DecimalString;
  tax: DecimalString;
  /** Printed under the summary, such as "Reverse charge". */
  exemptionReason?: string | undefined;
}

export interface DocumentPayment {
  /** The terms in words, in the document's language. */
  termsText?: string | undefined;
  accountHolder?: string | undefined;
  iban?: string | undefined;
  bic?: string | undefined;
  bankName?: string | undefined;
}

/** Tax law of most countries wants the tax in the seller's own currency too. */
export interface BaseCurrencyTax {
  currencyCode: string;
  /** Units of base currency per 1 unit of document currency. */
  rate: DecimalString;
  tax: DecimalString;
}

/**
 * A document as it was issued, ready to be printed: every number is computed, nothing here changes after issue. It
 * carries no payment status on purpose.
 */
export interface PrintableDocument {
  templateVersion: number;
  kind: 'invoice' | 'credit_note';
  language: DocumentLanguage;
  /** BCP 47, decides how numbers and dates are written; its language is `language`. */
  locale: string;
  paper: 'A4' | 'Letter';
  number: string;
  /** Instant of issue, ISO 8601 with Z: the date inside the PDF file. */
  issuedAt: string;
  issueDate: CalendarDate;
  deliveryDate?: CalendarDate | undefined;
  dueDate?: CalendarDate | undefined;
  /** The invoice that a credit note corrects. */
  correctedInvoice?: { number: string; issueDate: CalendarDate } | undefined;
  customerNumber?: string | undefined;
  purchaseReference?: string | undefined;
  currencyCode: string;
  /** Decimals of the currency by ISO 4217: 0, 2 or 3. */
  currencyDecimals: number;
  seller: DocumentSeller;
  buyer: DocumentParty;
  shipTo?: DocumentParty | undefined;
  lines: readonly DocumentLine[];
  taxes: readonly DocumentTax[];
  total: DecimalString;
  taxTotal: DecimalString;
  grandTotal: DecimalString;
  baseCurrencyTax?: BaseCurrencyTax | undefined;
  payment: DocumentPayment;
  /** Why a credit note was issued; layouts before the third print it among the notes. */
  reason?: string | undefined;
  notes?: string | undefined;
  /** Present on the second object that is printed once the document is void. */
  voided?: { date: CalendarDate } | undefined;
}

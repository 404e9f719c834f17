import type { SwissQrBill } from './swiss-qr-bill';
import type { DocumentLanguage } from '../invoices/invoice';
import type { DayPeriod } from '../invoices/supply-dates';

/**
 * Version of the printed layout, stored with the document at issue. Increase it if a change of the template would alter
 * the pages of existing documents; the template supports every version up to it.
 */
export const DOCUMENT_TEMPLATE_VERSION = 4;

/** A decimal in plain notation, such as `-1234.50`, so that amounts on the page are exact. */
export type DecimalString = `${number}`;

/** A calendar date, `YYYY-MM-DD`. */
export type CalendarDate = string;

const DECIMAL = /^-?\d+(\.\d+)?$/;

const isDecimalString = (text: string): text is DecimalString => DECIMAL.test(text);

/**
 * @throws RangeError unless the text is a decimal in plain notation; since computed amounts always are, this is a
 * defect.
 */
export function toDecimalString(text: string): DecimalString {
  if (!isDecimalString(text)) throw new RangeError('A printed amount must be a decimal in plain notation.');
  return text;
}

/** A party on the document. */
export interface DocumentParty {
  name: string;
  /** Address lines as on an envelope, without the name; for addresses abroad the last line is the country. */
  addressLines: readonly string[];
  /** Tax and registration numbers with their names; layouts before version 4 print `taxId` and `registrationId`. */
  identifiers?: readonly LabelledNumber[] | undefined;
  taxId?: string | undefined;
  registrationId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  website?: string | undefined;
}

/** A number of a party with its name in the language of the document, such as `USt-IdNr.` */
export interface LabelledNumber {
  label: string;
  value: string;
}

export interface DocumentSeller extends DocumentParty {
  legalForm?: string | undefined;
  /** Register and number, such as `Amtsgericht Hamburg, HRB 98765`. */
  register?: string | undefined;
  managingDirectors?: readonly string[] | undefined;
  shareCapital?: { amount: DecimalString; currencyCode: string } | undefined;
  /** PNG or JPEG as a `data:` URL. */
  logo?: string | undefined;
  /** Colour of rules and headings, `#rrggbb`. */
  accentColor?: string | undefined;
}

/** A printed discount (negative) or charge (positive). */
export interface PrintedAdjustment {
  reason: string;
  percent?: DecimalString | undefined;
  amount: DecimalString;
}

export interface DocumentLine {
  position: number;
  code?: string | undefined;
  name: string;
  description?: string | undefined;
  deliveryDate?: CalendarDate | undefined;
  deliveryPeriod?: DayPeriod | undefined;
  quantity: DecimalString;
  /** The unit as it is printed, such as `pcs` or `h`. */
  unit?: string | undefined;
  unitPrice: DecimalString;
  priceIncludesTax: boolean;
  discountPercent?: DecimalString | undefined;
  /** Further discounts and charges; they include tax if the price does. */
  adjustments?: readonly PrintedAdjustment[] | undefined;
  taxPercent: DecimalString;
  /** Net amount of the line after discount, with the currency's decimals. */
  net: DecimalString;
}

export interface DocumentTax {
  name?: string | undefined;
  percent: DecimalString;
  taxable: DecimalString;
  tax: DecimalString;
  /** Printed instead of the row: the taxes that add up to it. */
  components?: readonly { name: string; percent: DecimalString; tax: DecimalString }[] | undefined;
  /** Printed under the summary, such as "Reverse charge". */
  exemptionReason?: string | undefined;
}

/** What is payable if the invoice is paid until a day. */
export interface EarlyPaymentOffer {
  percent: DecimalString;
  until: CalendarDate;
  amount: DecimalString;
  payable: DecimalString;
}

export interface DocumentPayment {
  /** Discount for early payment. */
  earlyPayment?: EarlyPaymentOffer | undefined;
  /** Payment part of a Swiss QR bill. Since layout version 4. */
  swissQrBill?: SwissQrBill | undefined;
  /** Payment terms in words, in the document's language. */
  termsText?: string | undefined;
  accountHolder?: string | undefined;
  iban?: string | undefined;
  bic?: string | undefined;
  bankName?: string | undefined;
  accountNumber?: string | undefined;
  routingNumber?: string | undefined;
  /** Printed under the payment terms. */
  note?: string | undefined;
}

/** What was paid before, deducted under the grand total. */
export interface PrintedPrepaid {
  deposits: readonly {
    number: string;
    issueDate: CalendarDate;
    net: DecimalString;
    tax: DecimalString;
    total: DecimalString;
  }[];
  payments: readonly { date: CalendarDate; amount: DecimalString }[];
  /** What the deposits leave of net amount and tax; undefined without deposits. */
  remaining?: { net: DecimalString; tax: DecimalString } | undefined;
  due: DecimalString;
}

/** Tax in the seller's own currency, which the tax law of most countries requires. */
export interface BaseCurrencyTax {
  currencyCode: string;
  /** Units of base currency per 1 unit of document currency. */
  rate: DecimalString;
  tax: DecimalString;
}

/**
 * An issued document, ready to print: every amount is computed, and nothing changes after issue. It has no payment
 * status for that reason.
 */
export interface PrintableDocument {
  templateVersion: number;
  kind: 'invoice' | 'credit_note';
  language: DocumentLanguage;
  /** BCP 47 locale for numbers and dates; its language is `language`. */
  locale: string;
  paper: 'A4' | 'Letter';
  number: string;
  /** Instant of issue, ISO 8601 with Z: the date inside the PDF file. */
  issuedAt: string;
  issueDate: CalendarDate;
  deliveryDate?: CalendarDate | undefined;
  deliveryPeriod?: DayPeriod | undefined;
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
  /** Discounts and charges of the document before tax, and the sum of the lines; undefined if there are none. */
  adjustments?: { linesTotal: DecimalString; rows: readonly PrintedAdjustment[] } | undefined;
  taxes: readonly DocumentTax[];
  total: DecimalString;
  taxTotal: DecimalString;
  grandTotal: DecimalString;
  /** Whether it is a deposit invoice, or the credit note of one. */
  isDeposit?: boolean | undefined;
  prepaid?: PrintedPrepaid | undefined;
  baseCurrencyTax?: BaseCurrencyTax | undefined;
  payment: DocumentPayment;
  /** Reason of a credit note; layouts before version 3 print it as part of the notes. */
  reason?: string | undefined;
  notes?: string | undefined;
  /** Present on the stamped page of a void document. */
  voided?: { date: CalendarDate } | undefined;
  /** Present on the stamped preview of a document that is not issued yet. */
  isDraft?: true;
}

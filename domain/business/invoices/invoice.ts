import type { DecimalText } from '../decimal';
import type { EInvoiceProfile } from '../documents/einvoice/specification';
import type { EarlyPaymentSnapshot } from '../payments/early-payment';
import type { AdjustmentType } from './adjustments';
import type { TaxRounding } from './invoice-calculation';
import type { PrepaidSnapshot } from './prepaid';
import type { SentSupplyDates, SupplyDates } from './supply-dates';
import type { TaxComponentAmount } from './tax-components';
import type { PaymentTermsCode } from '../payments/payment-terms';
import type { TaxCategory } from '../settings/tax-rates';

/** Languages in which a document can be printed; fixed at issue. */
export const DOCUMENT_LANGUAGES = ['en', 'es', 'de', 'fr'] as const;
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number];

/**
 * draft → issued → partially_paid → paid; issued → credited, by credit notes alone; void from issued. `overdue` follows
 * from open amount and due date.
 */
export const INVOICE_STATUSES = ['draft', 'issued', 'partially_paid', 'paid', 'credited', 'void'] as const;
/** The statuses with an open amount, which is overdue after the due date. */
export const STATUSES_WITH_AMOUNT_DUE = ['issued', 'partially_paid'] as const;
/** The values by which invoices are filtered. */
export const INVOICE_STATUS_FILTERS = [...INVOICE_STATUSES, 'overdue'] as const;
export type InvoiceStatusFilter = (typeof INVOICE_STATUS_FILTERS)[number];
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
/** Status of an issued invoice. */
export type IssuedStatus = Exclude<InvoiceStatus, 'draft'>;

export interface PostalAddress {
  line1: string | null;
  line2: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** Details of a company that the law of its country requires on business documents, and further bank details. */
export interface LegalDetails {
  /** Such as `GmbH` or `SARL`. */
  legalForm: string | null;
  /** Tax number of the country that is not a VAT identifier, such as the German Steuernummer. */
  taxNumber: string | null;
  /** Court or register in which the company is registered, such as `Amtsgericht Hamburg` or `RCS Paris`. */
  registerName: string | null;
  managingDirectors: string[];
  shareCapital: { amount: DecimalText; currencyCode: string } | null;
  /** Account number where there are no IBANs. */
  accountNumber: string | null;
  /** Nine-digit routing number of a bank in the United States. */
  routingNumber: string | null;
  /** Printed under the payment terms, such as interest and charges for late payment. */
  paymentNote: string | null;
  /** `scheme:identifier` to which electronic invoices are delivered. */
  electronicAddress: string | null;
}

/** The company's data at the time of issue. Legal details are absent in documents issued before they could be stated. */
export interface SellerSnapshot extends Partial<LegalDetails> {
  legalName: string;
  taxId: string | null;
  registrationNumber: string | null;
  address: PostalAddress;
  email: string | null;
  phone: string | null;
  website: string | null;
  bankName: string | null;
  iban: string | null;
  bic: string | null;
  /** Object key of the logo's bytes; keys are content-addressed, so the image cannot change. */
  logoKey: string | null;
}

/** The customer's data at the time of issue. */
export interface BuyerSnapshot {
  customerId: number;
  code: string;
  name: string;
  taxId: string | null;
  /** Absent in documents issued before it could be stated. */
  registrationNumber?: string | null;
  address: PostalAddress;
  email: string | null;
  /** `scheme:identifier`; absent in documents issued before it could be stated. */
  electronicAddress?: string | null;
}

/** A discount or charge of a line (BG-27, BG-28); it includes tax if the unit price does. */
export interface LineAdjustmentSnapshot {
  type: AdjustmentType;
  reason: string;
  /** Percentage of `gross`; null for an amount. */
  percent: DecimalText | null;
  /** Positive. */
  amount: DecimalText;
}

/** The part of a discount or charge of the document at one tax rate (BG-20, BG-21). All amounts are positive. */
export interface DocumentAdjustmentSnapshot {
  /** 1, 2, 3 … on its document. Those of a credit note have the ids of its invoice, if the invoice has them. */
  adjustmentId: number;
  type: AdjustmentType;
  reason: string;
  percent: DecimalText | null;
  /** What the percentage applies to; null for an amount. */
  base: DecimalText | null;
  /** Whether `base` and `amount` include tax. */
  includesTax: boolean;
  amount: DecimalText;
  net: DecimalText;
  tax: DecimalText;
  taxRateId: number;
  taxPercent: DecimalText;
  taxCategory: TaxCategory;
  exemptionReason: string | null;
  /** Set on a credit note for its part of the discount for early payment that the customer took (or lost again). */
  isEarlyPayment?: true;
}

/** Dates of supply are absent in documents issued before they could be stated. */
export interface InvoiceLineSnapshot extends Partial<SupplyDates> {
  /** 1, 2, 3 … in the order of the request. Credit notes refer to it as `invoiceLineId`. */
  lineId: number;
  /** Null for a line in free text, which has no product. */
  productId: number | null;
  productCode: string | null;
  description: string;
  /** Further text printed under the description (BT-154); absent in documents issued before lines had this field. */
  details?: string | null;
  /** Unit code of UN/ECE Recommendation 20. */
  unit: string;
  quantity: DecimalText;
  unitPrice: DecimalText;
  priceIncludesTax: boolean;
  discountPercent: DecimalText;
  gross: DecimalText;
  discount: DecimalText;
  /** Absent if there are none. */
  adjustments?: LineAdjustmentSnapshot[];
  net: DecimalText;
  tax: DecimalText;
  taxRateId: number;
  taxPercent: DecimalText;
  taxCategory: TaxCategory;
  /** Why no tax is charged; absent in documents issued before lines had this field. */
  exemptionReason?: string | null;
}

/** One row of the tax table: lines of one category, percentage and exemption reason. */
export interface InvoiceTaxSnapshot {
  taxRateId: number;
  name: string;
  category: TaxCategory;
  percent: DecimalText;
  exemptionReason: string | null;
  net: DecimalText;
  tax: DecimalText;
  /** The taxes that add up to the row, if there are several. */
  components?: TaxComponentAmount[];
  /**
   * Both in base currency; only of credit notes in another currency, absent in those issued before they were stored. The
   * parts of the tax are those of `components`, if the credit note completes the rate.
   */
  base?: { net: DecimalText; tax: DecimalText; components?: DecimalText[] };
}

/**
 * Content common to invoices and credit notes. All amounts are positive, also those of a credit note. Dates of supply are
 * absent in documents issued before they could be stated.
 */
export interface DocumentSnapshot extends Partial<SupplyDates> {
  templateVersion: number;
  language: DocumentLanguage;
  number: string;
  /** `YYYY-MM-DD` in the company's time zone at issue. */
  issueDate: string;
  /** Instant of issue, ISO 8601 UTC. */
  issuedAt: string;
  /** The customer's own reference, such as a purchase order number. */
  reference: string | null;
  /** BT-10, such as a Leitweg-ID. Absent, like the profile, in documents issued before they could be stated. */
  buyerReference?: string | null;
  /** Profile of the electronic invoice, by which the document was checked. */
  eInvoiceProfile?: EInvoiceProfile;
  /** Set on deposit invoices and their credit notes. */
  isDeposit?: true;
  notes: string | null;
  currencyCode: string;
  currencyDecimals: number;
  baseCurrencyCode: string;
  baseCurrencyDecimals: number;
  /** Units of base currency per 1 unit of document currency. */
  exchangeRate: DecimalText;
  taxRounding: TaxRounding;
  seller: SellerSnapshot;
  buyer: BuyerSnapshot;
  lines: InvoiceLineSnapshot[];
  /** Discounts and charges of the document; absent if there are none. */
  adjustments?: DocumentAdjustmentSnapshot[];
  taxes: InvoiceTaxSnapshot[];
  total: DecimalText;
  taxTotal: DecimalText;
  grandTotal: DecimalText;
  /** Total and tax are converted and rounded separately; the grand total is their sum. */
  baseTotal: DecimalText;
  baseTaxTotal: DecimalText;
  baseGrandTotal: DecimalText;
}

/** The complete, immutable content of an issued invoice; its hash identifies the rendered files. */
export interface InvoiceSnapshot extends DocumentSnapshot {
  documentKind: 'invoice';
  dueDate: string;
  paymentTerms: PaymentTermsCode;
  /** Discount for early payment; absent if there is none. */
  earlyPaymentDiscount?: EarlyPaymentSnapshot;
  /** What was paid before; absent if there is nothing. */
  prepaid?: PrepaidSnapshot;
}

/** The complete, immutable content of a credit note. Its lines, taxes and totals are the credited amounts. */
export interface CreditNoteSnapshot extends DocumentSnapshot {
  documentKind: 'credit_note';
  /** The corrected invoice. */
  precedingInvoice: { number: string; issueDate: string };
  /** Reason printed on the document, for the customer. */
  reason: string | null;
}

export type IssuedDocument = InvoiceSnapshot | CreditNoteSnapshot;

/** A line of a draft as sent; null for fields that take the default of the day of issue. */
export interface DraftInvoiceLineInput extends SentSupplyDates {
  /** Null for a line in free text. */
  productId: number | null;
  quantity: DecimalText;
  unitPrice: DecimalText | null;
  description: string | null;
  discountPercent: DecimalText | null;
  taxRateId: number | null;
  priceIncludesTax: boolean | null;
  warehouseId: number | null;
  /** Absent in drafts stored before the fields existed, like those below. */
  details?: string | null;
  unit?: string | null;
  adjustments?: DraftAdjustmentInput[] | null;
}

/** A discount or charge of a draft as sent: either `percent` or `amount`. */
export interface DraftAdjustmentInput {
  type: AdjustmentType;
  reason: string;
  percent: DecimalText | null;
  amount: DecimalText | null;
  /** Only of the document; null spreads it over the rates of the lines. */
  taxRateId: number | null;
}

/** A draft as sent; null for fields that take the default of the day of issue. */
export interface DraftInvoiceInput extends SentSupplyDates {
  customerId: number;
  issueDate: string | null;
  paymentTerms: PaymentTermsCode | null;
  currencyCode: string | null;
  seriesId: number | null;
  language: DocumentLanguage | null;
  reference: string | null;
  notes: string | null;
  lines: DraftInvoiceLineInput[];
  /** Absent in drafts stored before the fields existed. */
  dueDate?: string | null;
  buyerReference?: string | null;
  earlyPaymentDiscount?: { percent: DecimalText; days: number } | null;
  adjustments?: DraftAdjustmentInput[] | null;
  deposit?: boolean | null;
  depositInvoiceIds?: number[] | null;
  prepayments?: { paymentId: number; amount: DecimalText }[] | null;
}

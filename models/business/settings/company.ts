import { model, Schema } from 'mongoose';
import { E_INVOICING_MODES } from '../../../domain/business/documents/einvoice/check';
import type { EInvoicingMode } from '../../../domain/business/documents/einvoice/check';
import { COMPLETENESS_MODES } from '../../../domain/business/documents/mandatory-details';
import type { CompletenessMode } from '../../../domain/business/documents/mandatory-details';
import type { Types } from 'mongoose';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage, LegalDetails, SellerSnapshot } from '../../../domain/business/invoices/invoice';
import { DEFAULT_DELIVERY_DATES } from '../../../domain/business/invoices/supply-dates';
import type { DefaultDeliveryDate } from '../../../domain/business/invoices/supply-dates';
import type { TaxRounding } from '../../../domain/business/invoices/invoice-calculation';
import { PAYMENT_TERMS_CODES } from '../../../domain/business/payments/payment-terms';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import type { EarlierTimeZone } from '../../../domain/business/settings/business-days';
import { addressFields } from '../parties/address';
import { taxIdVerificationSchema } from '../parties/tax-id-verification';
import type { TaxIdVerification } from '../parties/tax-id-verification';

/** The organisation as a business: its details on documents, and the defaults of new documents. */
export interface CompanyRecord extends SellerSnapshot {
  /** Id of the organisation; an organisation has one company. */
  _id: string;
  timeZone: string;
  baseCurrencyCode: string;
  language: DocumentLanguage;
  taxRounding: TaxRounding;
  /**
   * Whether every document must satisfy the rules of EN 16931 when it is issued. Absent in companies created before
   * the setting existed: off.
   */
  eInvoicing?: EInvoicingMode;
  /**
   * Whether a document that lacks a detail that the law of the company's country requires is rejected when it is issued.
   * Absent in companies created before the setting existed: off.
   */
  completenessChecks?: CompletenessMode;
  /** The date of supply of documents that state none. Absent in companies created before the setting existed: none. */
  defaultDeliveryDate?: DefaultDeliveryDate;
  /** Null until the rates of its country are chosen. */
  defaultTaxRateId: number | null;
  defaultPaymentTerms: PaymentTermsCode;
  defaultWarehouseId: number;
  defaultSeriesId: number;
  /** Maximum age of an exchange rate in days; older rates are not used for new documents. */
  maxExchangeRateAgeDays: number;
  /** Percentage by which a receipt may exceed the ordered quantity. */
  overReceiptTolerancePercent: Types.Decimal128;
  /** Percentage by which a bill may exceed the received quantity; absent in records written before the field: 0. */
  overBillingTolerancePercent?: Types.Decimal128;
  /** Largest difference in base currency that can be written off; absent in records written before the field: 0. */
  writeOffLimit?: Types.Decimal128;
  /** Today when the time zone last changed, `YYYY-MM-DD`; today is never earlier. Absent if it has not changed. */
  earliestToday?: string;
  /** Time zones of before, oldest first, which decide on the days of earlier postings. Absent if none is known. */
  earlierTimeZones?: readonly EarlierTimeZone[];
  /** The last verification of the company's VAT identifier by VIES; absent or null if there was none. */
  taxIdVerification?: TaxIdVerification | null;
  /** Number of results of verifications; absent before the first. */
  derivedVersion?: number;
  /**
   * Counter incremented when a possible default is deactivated, so that selecting a record as a default and
   * deactivating it concurrently conflict.
   */
  defaultsGuard: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, default: null } as const;

const shareCapitalSchema = new Schema<NonNullable<LegalDetails['shareCapital']>>(
  { amount: { type: String, required: true }, currencyCode: { type: String, required: true } },
  { _id: false, strict: 'throw' },
);

const companySchema = new Schema<CompanyRecord>(
  {
    _id: { type: String, required: true },
    legalName: { type: String, required: true },
    taxId: text,
    registrationNumber: text,
    address: addressFields,
    email: text,
    phone: text,
    website: text,
    bankName: text,
    iban: text,
    bic: text,
    logoKey: text,
    legalForm: text,
    taxNumber: text,
    registerName: text,
    managingDirectors: { type: [String], default: [] },
    shareCapital: { type: shareCapitalSchema, default: null },
    accountNumber: text,
    routingNumber: text,
    paymentNote: text,
    electronicAddress: text,
    timeZone: { type: String, required: true },
    baseCurrencyCode: { type: String, required: true },
    language: { type: String, enum: DOCUMENT_LANGUAGES, required: true },
    taxRounding: { type: String, enum: ['per_rate', 'per_line'], required: true },
    eInvoicing: { type: String, enum: E_INVOICING_MODES, required: true, default: 'off' },
    completenessChecks: { type: String, enum: COMPLETENESS_MODES, required: true, default: 'off' },
    defaultDeliveryDate: { type: String, enum: DEFAULT_DELIVERY_DATES, required: true, default: 'none' },
    defaultTaxRateId: { type: Number, default: null },
    defaultPaymentTerms: { type: String, enum: PAYMENT_TERMS_CODES, required: true },
    defaultWarehouseId: { type: Number, required: true },
    defaultSeriesId: { type: Number, required: true },
    maxExchangeRateAgeDays: { type: Number, required: true, default: 7 },
    overReceiptTolerancePercent: { type: Schema.Types.Decimal128, required: true, default: 0 },
    overBillingTolerancePercent: { type: Schema.Types.Decimal128 },
    writeOffLimit: { type: Schema.Types.Decimal128 },
    earliestToday: { type: String },
    earlierTimeZones: { type: Schema.Types.Mixed },
    taxIdVerification: { type: taxIdVerificationSchema, default: null },
    derivedVersion: { type: Number },
    defaultsGuard: { type: Number, required: true, default: 0 },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'companies', versionKey: false, strict: 'throw' },
);

export const Company = model<CompanyRecord>('Company', companySchema);

import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage, PostalAddress } from '../../../domain/business/invoices/invoice';
import { PAYMENT_TERMS_CODES } from '../../../domain/business/payments/payment-terms';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { addressFields } from './address';

export interface CustomerRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  /** Unique within the organisation. */
  code: string;
  name: string;
  taxId: string | null;
  email: string | null;
  phone: string | null;
  address: PostalAddress;
  /** Null: the company's default. */
  currencyCode: string | null;
  /** Null: the company's default. */
  paymentTerms: PaymentTermsCode | null;
  /** Null: the company's language. */
  language: DocumentLanguage | null;
  /** Base currency; null: none. */
  creditLimit: Types.Decimal128 | null;
  notes: string | null;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, default: null } as const;

const customerSchema = new Schema<CustomerRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    code: { type: String, required: true },
    name: { type: String, required: true },
    taxId: text,
    email: text,
    phone: text,
    address: addressFields,
    currencyCode: text,
    paymentTerms: { type: String, enum: [...PAYMENT_TERMS_CODES, null], default: null },
    language: { type: String, enum: [...DOCUMENT_LANGUAGES, null], default: null },
    creditLimit: { type: Schema.Types.Decimal128, default: null },
    notes: text,
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'customers', versionKey: false, strict: 'throw' },
);
customerSchema.index({ organisationId: 1, id: 1 }, { unique: true });
customerSchema.index({ organisationId: 1, code: 1 }, { unique: true });
// Sorts by code with the id as tie-breaker; the unique index alone cannot.
customerSchema.index({ organisationId: 1, code: 1, id: 1, active: 1 });
// Lists hide inactive records: with the flag last, an index tells them apart without reading the record.
customerSchema.index({ organisationId: 1, active: 1, id: 1 });
customerSchema.index({ organisationId: 1, name: 1, id: 1, active: 1 });
customerSchema.index({ organisationId: 1, createdAt: 1, id: 1, active: 1 });
customerSchema.index({ organisationId: 1, tokens: 1, id: 1, active: 1 });

export const Customer = model<CustomerRecord>('Customer', customerSchema);

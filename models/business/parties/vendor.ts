import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import { PAYMENT_TERMS_CODES } from '../../../domain/business/payments/payment-terms';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { addressFields } from './address';

/** Who the company buys from. */
export interface VendorRecord {
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
  /** Null: the company's base currency. */
  currencyCode: string | null;
  /** Null: the company's default. */
  paymentTerms: PaymentTermsCode | null;
  bankName: string | null;
  iban: string | null;
  bic: string | null;
  notes: string | null;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, default: null } as const;

const vendorSchema = new Schema<VendorRecord>(
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
    bankName: text,
    iban: text,
    bic: text,
    notes: text,
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'vendors', versionKey: false, strict: 'throw' },
);
vendorSchema.index({ organisationId: 1, id: 1 }, { unique: true });
vendorSchema.index({ organisationId: 1, code: 1 }, { unique: true });
// Sorts by code with the id as tie-breaker; the unique index alone cannot.
vendorSchema.index({ organisationId: 1, code: 1, id: 1, active: 1 });
// Lists hide inactive records: with the flag last, an index tells them apart without reading the record.
vendorSchema.index({ organisationId: 1, active: 1, id: 1 });
vendorSchema.index({ organisationId: 1, name: 1, id: 1, active: 1 });
vendorSchema.index({ organisationId: 1, createdAt: 1, id: 1, active: 1 });
vendorSchema.index({ organisationId: 1, tokens: 1, id: 1, active: 1 });

export const Vendor = model<VendorRecord>('Vendor', vendorSchema);

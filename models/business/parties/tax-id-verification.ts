import { model, Schema } from 'mongoose';
import { TAX_ID_HOLDERS, TAX_ID_VERIFICATION_STATUSES } from '../../../domain/business/parties/tax-id-verification';
import type { TaxIdHolder, TaxIdVerificationStatus } from '../../../domain/business/parties/tax-id-verification';

/** A verification of a VAT identifier by VIES, as it is copied to its holder. */
export interface TaxIdVerification {
  /** `txv_…` */
  id: string;
  taxId: string;
  status: TaxIdVerificationStatus;
  /** Why there is no result yet: a code of `lib/registers/vies.ts` or of the egress guard. */
  reason: string | null;
  requestedAt: Date;
  /** Time of the last query. */
  checkedAt: Date | null;
  /** VIES proves the query under this number; null without a valid VAT identifier of the company. */
  consultationNumber: string | null;
  /** As registered; null if the member state does not disclose it. */
  name: string | null;
  address: string | null;
}

/** Every verification is kept: its consultation number is evidence for tax-free supplies. */
export interface TaxIdVerificationRecord extends Omit<TaxIdVerification, 'id'> {
  _id: string;
  organisationId: string;
  holder: TaxIdHolder;
  /** Id of the customer or vendor; null for the company. */
  holderId: number | null;
  /** Number of queries. */
  attempts: number;
  /** Null once there is a result, or the last query was made. */
  nextAttemptAt: Date | null;
  /** User or API key that caused it. */
  requestedBy: string;
}

const text = { type: String, default: null } as const;

const resultFields = {
  taxId: { type: String, required: true },
  status: { type: String, enum: TAX_ID_VERIFICATION_STATUSES, required: true },
  reason: text,
  requestedAt: { type: Date, required: true },
  checkedAt: { type: Date, default: null },
  consultationNumber: text,
  name: text,
  address: text,
} as const;

export const taxIdVerificationSchema = new Schema<TaxIdVerification>(
  { id: { type: String, required: true }, ...resultFields },
  { _id: false, strict: 'throw' },
);

const recordSchema = new Schema<TaxIdVerificationRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    holder: { type: String, enum: TAX_ID_HOLDERS, required: true },
    holderId: { type: Number, default: null },
    ...resultFields,
    attempts: { type: Number, required: true },
    nextAttemptAt: { type: Date, default: null },
    requestedBy: { type: String, required: true },
  },
  { collection: 'tax_id_verifications', versionKey: false, strict: 'throw' },
);
recordSchema.index({ organisationId: 1, holder: 1, holderId: 1, _id: -1 });
recordSchema.index(
  { organisationId: 1, nextAttemptAt: 1 },
  { partialFilterExpression: { nextAttemptAt: { $type: 'date' } } },
);

export const TaxIdVerifications = model<TaxIdVerificationRecord>('TaxIdVerification', recordSchema);

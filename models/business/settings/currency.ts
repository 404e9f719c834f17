import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/** A currency of the company. The base currency always exists and is always active. */
export interface CurrencyRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  /** ISO 4217 code. */
  code: string;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const currencySchema = new Schema<CurrencyRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    code: { type: String, required: true },
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'currencies', versionKey: false, strict: 'throw' },
);
currencySchema.index({ organisationId: 1, id: 1 }, { unique: true });
currencySchema.index({ organisationId: 1, code: 1 }, { unique: true });
// Sorts by code with the id as tie-breaker, which the unique index alone cannot do.
currencySchema.index({ organisationId: 1, code: 1, id: 1 });
currencySchema.index({ organisationId: 1, createdAt: 1, id: 1 });
currencySchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const Currency = model<CurrencyRecord>('Currency', currencySchema);

import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/** Units of base currency per 1 unit of `currencyCode`, from `date` (`YYYY-MM-DD`) until the day of the next rate. */
export interface ExchangeRateRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  currencyCode: string;
  date: string;
  rate: Types.Decimal128;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const exchangeRateSchema = new Schema<ExchangeRateRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    currencyCode: { type: String, required: true },
    date: { type: String, required: true },
    rate: { type: Schema.Types.Decimal128, required: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'exchange_rates', versionKey: false, strict: 'throw' },
);
exchangeRateSchema.index({ organisationId: 1, currencyCode: 1, date: -1 }, { unique: true });
exchangeRateSchema.index({ organisationId: 1, id: 1 }, { unique: true });
exchangeRateSchema.index({ organisationId: 1, date: 1, id: 1 });
exchangeRateSchema.index({ organisationId: 1, currencyCode: 1, date: 1, id: 1 });
exchangeRateSchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const ExchangeRate = model<ExchangeRateRecord>('ExchangeRate', exchangeRateSchema);

import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/** Units of the company's base currency per 1 unit of `currencyCode`, from `date` (`YYYY-MM-DD`) until the next. */
export interface ExchangeRateRecord {
  _id: Types.ObjectId;
  organisationId: string;
  currencyCode: string;
  date: string;
  rate: Types.Decimal128;
  createdAt: Date;
}

const exchangeRateSchema = new Schema<ExchangeRateRecord>(
  {
    organisationId: { type: String, required: true },
    currencyCode: { type: String, required: true },
    date: { type: String, required: true },
    rate: { type: Schema.Types.Decimal128, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'exchange_rates', versionKey: false, strict: 'throw' },
);
exchangeRateSchema.index({ organisationId: 1, currencyCode: 1, date: -1 }, { unique: true });

export const ExchangeRate = model<ExchangeRateRecord>('ExchangeRate', exchangeRateSchema);

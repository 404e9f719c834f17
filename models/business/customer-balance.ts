import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/**
 * What a customer owes at frozen rates, in base currency. Every invoice, payment and credit note writes it, so that a
 * credit limit holds under parallel requests.
 */
export interface CustomerBalanceRecord {
  _id: Types.ObjectId;
  organisationId: string;
  customerId: number;
  openBase: Types.Decimal128;
  version: number;
}

const customerBalanceSchema = new Schema<CustomerBalanceRecord>(
  {
    organisationId: { type: String, required: true },
    customerId: { type: Number, required: true },
    openBase: { type: Schema.Types.Decimal128, required: true },
    version: { type: Number, required: true, default: 0 },
  },
  { collection: 'customer_balances', versionKey: false, strict: 'throw' },
);
customerBalanceSchema.index({ organisationId: 1, customerId: 1 }, { unique: true });

export const CustomerBalance = model<CustomerBalanceRecord>('CustomerBalance', customerBalanceSchema);

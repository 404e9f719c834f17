import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';

/**
 * Balance of a customer or vendor in base currency, at the exchange rates of posting. Every change writes this record,
 * so that credit limits hold under parallel requests. It equals the sum of the party's account entries.
 */
export interface PartyBalanceRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  partyId: number;
  openBase: Types.Decimal128;
  version: number;
}

const partyBalanceSchema = new Schema<PartyBalanceRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    partyId: { type: Number, required: true },
    openBase: { type: Schema.Types.Decimal128, required: true },
    version: { type: Number, required: true, default: 0 },
  },
  { collection: 'party_balances', versionKey: false, strict: 'throw' },
);
partyBalanceSchema.index({ organisationId: 1, side: 1, partyId: 1 }, { unique: true });

export const PartyBalance = model<PartyBalanceRecord>('PartyBalance', partyBalanceSchema);

import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { TaxShareText } from '../../../domain/business/payments/deductions';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { PAYMENT_METHODS } from '../../../domain/business/payments/payments';
import type { PaymentMethod } from '../../../domain/business/payments/payments';

/**
 * Money received from a customer or paid to a vendor, or (a refund) the reverse. The amount not applied to documents is
 * a credit in the open items.
 */
export interface PaymentRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  id: number;
  type: 'payment' | 'refund';
  status: 'posted' | 'void';
  partyId: number;
  partyName: string;
  currencyCode: string;
  exchangeRate: Types.Decimal128;
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
  /** For a refund: base amount paid out less the base amount of the used credit; a loss is positive. */
  realised: Types.Decimal128;
  /** `YYYY-MM-DD` in the company's time zone. */
  date: string;
  method: PaymentMethod;
  reference: string | null;
  /** For a refund: the credit that it pays out. */
  creditItemId: Types.ObjectId | null;
  voidReason: string | null;
  /** Date of the counter-entries. */
  voidedOn: string | null;
  tokens: string[];
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const paymentSchema = new Schema<PaymentRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    id: { type: Number, required: true },
    type: { type: String, enum: ['payment', 'refund'], required: true },
    status: { type: String, enum: ['posted', 'void'], required: true },
    partyId: { type: Number, required: true },
    partyName: { type: String, required: true },
    currencyCode: { type: String, required: true },
    exchangeRate: amount,
    amount,
    amountBase: amount,
    realised: amount,
    date: { type: String, required: true },
    method: { type: String, enum: PAYMENT_METHODS, required: true },
    reference: { type: String, default: null },
    creditItemId: { type: Schema.Types.ObjectId, default: null },
    voidReason: { type: String, default: null },
    voidedOn: { type: String, default: null },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'payments', versionKey: false, strict: 'throw' },
);
paymentSchema.index({ organisationId: 1, side: 1, id: 1 }, { unique: true });
paymentSchema.index({ organisationId: 1, side: 1, date: 1, id: 1 });
paymentSchema.index({ organisationId: 1, side: 1, partyId: 1, date: 1, id: 1 });
paymentSchema.index({ organisationId: 1, side: 1, creditItemId: 1 });
// The next two find the entries of a day for the journal.
paymentSchema.index({ organisationId: 1, date: 1 });
paymentSchema.index({ organisationId: 1, voidedOn: 1 }, { partialFilterExpression: { voidedOn: { $type: 'string' } } });
paymentSchema.index({ organisationId: 1, side: 1, tokens: 1, date: 1, id: 1 });

export const Payment = model<PaymentRecord>('Payment', paymentSchema);

/** The full or partial application of a credit to a document; reversed by counter-entries, never deleted. */
export interface AllocationRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  id: number;
  partyId: number;
  /** Open items of the credit and of the document. */
  creditItemId: Types.ObjectId;
  debitItemId: Types.ObjectId;
  /** Id of the payment or credit note. */
  creditKind: 'payment' | 'credit_note';
  creditId: number;
  debitKind: 'invoice' | 'receipt' | 'bill';
  debitId: number;
  date: string;
  /** Amount in the credit's currency. */
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
  /** Amount in the document's currency. */
  settled: Types.Decimal128;
  settledBase: Types.Decimal128;
  /** Discount for early payment that the document loses in addition, in its currency; absent if there is none. */
  discount?: Types.Decimal128;
  /** Realised exchange difference in base currency; a gain is positive. */
  realised: Types.Decimal128;
  /** Of a deposit invoice: net amounts and taxes in base currency, by rate, that became due. */
  depositTaxes?: TaxShareText[];
  /** The same by the reversal: negative where they are not due any more; absent: the reverse of `depositTaxes`. */
  reversalDepositTaxes?: TaxShareText[];
  reversedOn: string | null;
  createdAt: Date;
}

const allocationSchema = new Schema<AllocationRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    id: { type: Number, required: true },
    partyId: { type: Number, required: true },
    creditItemId: { type: Schema.Types.ObjectId, required: true },
    debitItemId: { type: Schema.Types.ObjectId, required: true },
    creditKind: { type: String, enum: ['payment', 'credit_note'], required: true },
    creditId: { type: Number, required: true },
    debitKind: { type: String, enum: ['invoice', 'receipt', 'bill'], required: true },
    debitId: { type: Number, required: true },
    date: { type: String, required: true },
    amount,
    amountBase: amount,
    settled: amount,
    settledBase: amount,
    discount: { type: Schema.Types.Decimal128 },
    realised: amount,
    depositTaxes: { type: Schema.Types.Mixed },
    reversalDepositTaxes: { type: Schema.Types.Mixed },
    reversedOn: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'allocations', versionKey: false, strict: 'throw' },
);
allocationSchema.index({ organisationId: 1, side: 1, id: 1 }, { unique: true });
allocationSchema.index({ organisationId: 1, side: 1, date: 1, id: 1 });
allocationSchema.index({ organisationId: 1, side: 1, partyId: 1, date: 1, id: 1 });
allocationSchema.index({ organisationId: 1, side: 1, creditItemId: 1, reversedOn: 1 });
allocationSchema.index({ organisationId: 1, side: 1, debitItemId: 1, reversedOn: 1 });

// The next two find the entries of a day for the journal.
allocationSchema.index({ organisationId: 1, date: 1 });
allocationSchema.index(
  { organisationId: 1, reversedOn: 1 },
  { partialFilterExpression: { reversedOn: { $type: 'string' } } },
);

export const Allocation = model<AllocationRecord>('Allocation', allocationSchema);

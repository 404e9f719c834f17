import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { DEDUCTION_KINDS } from '../../../domain/business/payments/deductions';
import type { DeductionKind, TaxShareText } from '../../../domain/business/payments/deductions';
import { ITEM_KINDS, LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { ItemKind, LedgerSide } from '../../../domain/business/payments/open-items';

/**
 * An amount by which an open item is reduced without money or a document: a discount for early payment, or a small
 * difference that is written off, or a deposit that the final invoice deducts. Reversed by a counter-entry, never deleted.
 */
export interface DeductionRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  kind: DeductionKind;
  /** Unique for side and kind; a discount has the id of its allocation. */
  id: number;
  partyId: number;
  partyName: string;
  /** The open item. */
  itemId: Types.ObjectId;
  itemKind: ItemKind;
  documentId: number;
  documentNumber: string;
  currencyCode: string;
  /** `YYYY-MM-DD` in the company's zone. */
  date: string;
  /** Amount in the currency of the item, with tax. */
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
  /** Net amount and tax by rate, which reduce those of the document; empty for a credit. */
  taxes: TaxShareText[];
  /** Tax in base currency. */
  taxBase: Types.Decimal128;
  /** Of a deposit that is deducted: its invoice, and its amount in base currency at its own exchange rate. */
  depositId?: number;
  depositBase?: Types.Decimal128;
  /** Of a deposit invoice that is written off: net amounts and taxes in base currency, by rate, that become due before. */
  depositTaxes?: TaxShareText[];
  /** Of a deposit: the same by the reversal, negative where they are not due any more; absent: the reverse of `depositTaxes`. */
  reversalDepositTaxes?: TaxShareText[];
  reason: string | null;
  /** Date of the counter-entry. */
  reversedOn: string | null;
  reversalReason: string | null;
  /**
   * Of a write-off in a period that was locked before write-offs reduced the tax for which the company is liable as the
   * buyer: the first day that was open, on which that is corrected; null if the write-off had been reversed. Absent in
   * all others, whose own entry reduces the tax.
   */
  chargesCorrectedOn?: string | null;
  createdBy: string;
  createdAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const deductionSchema = new Schema<DeductionRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    kind: { type: String, enum: DEDUCTION_KINDS, required: true },
    id: { type: Number, required: true },
    partyId: { type: Number, required: true },
    partyName: { type: String, required: true },
    itemId: { type: Schema.Types.ObjectId, required: true },
    itemKind: { type: String, enum: ITEM_KINDS, required: true },
    documentId: { type: Number, required: true },
    documentNumber: { type: String, required: true },
    currencyCode: { type: String, required: true },
    date: { type: String, required: true },
    amount,
    amountBase: amount,
    taxes: { type: Schema.Types.Mixed, required: true },
    taxBase: amount,
    depositId: { type: Number },
    depositBase: { type: Schema.Types.Decimal128 },
    depositTaxes: { type: Schema.Types.Mixed },
    reversalDepositTaxes: { type: Schema.Types.Mixed },
    reason: { type: String, default: null },
    reversedOn: { type: String, default: null },
    reversalReason: { type: String, default: null },
    chargesCorrectedOn: { type: String },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'deductions', versionKey: false, strict: 'throw' },
);
deductionSchema.index({ organisationId: 1, side: 1, kind: 1, id: 1 }, { unique: true });
deductionSchema.index({ organisationId: 1, side: 1, kind: 1, date: 1, id: 1 });
deductionSchema.index({ organisationId: 1, itemId: 1, reversedOn: 1 });
deductionSchema.index(
  { organisationId: 1, depositId: 1, reversedOn: 1 },
  { partialFilterExpression: { depositId: { $type: 'number' } } },
);
// The next three find the entries of a day for the journal.
deductionSchema.index({ organisationId: 1, date: 1 });
deductionSchema.index(
  { organisationId: 1, reversedOn: 1 },
  { partialFilterExpression: { reversedOn: { $type: 'string' } } },
);
deductionSchema.index(
  { organisationId: 1, chargesCorrectedOn: 1 },
  { partialFilterExpression: { chargesCorrectedOn: { $type: 'string' } } },
);

export const Deduction = model<DeductionRecord>('Deduction', deductionSchema);

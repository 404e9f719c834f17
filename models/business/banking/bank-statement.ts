import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { BANK_TRANSACTION_STATES, STATEMENT_FORMATS } from '../../../domain/business/banking/bank-statement';
import type { BankTransactionState, StatementFormat } from '../../../domain/business/banking/bank-statement';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';

/** An imported statement of a bank account. */
export interface BankStatementRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  format: StatementFormat;
  /** Number or id that the bank gave the statement. */
  number: string | null;
  account: string | null;
  currencyCode: string;
  /** First and last booking date, `YYYY-MM-DD`. */
  dateFrom: string;
  dateTo: string;
  openingBalance: Types.Decimal128 | null;
  closingBalance: Types.Decimal128 | null;
  /** Transactions of the statement, and those of them that no statement had before. */
  transactionCount: number;
  importedCount: number;
  /** Identifies the content, so that a statement is imported once. */
  fingerprint: string;
  createdBy: string;
  createdAt: Date;
}

const balance = { type: Schema.Types.Decimal128, default: null } as const;
const text = { type: String, default: null } as const;

const bankStatementSchema = new Schema<BankStatementRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    format: { type: String, enum: STATEMENT_FORMATS, required: true },
    number: text,
    account: text,
    currencyCode: { type: String, required: true },
    dateFrom: { type: String, required: true },
    dateTo: { type: String, required: true },
    openingBalance: balance,
    closingBalance: balance,
    transactionCount: { type: Number, required: true },
    importedCount: { type: Number, required: true },
    fingerprint: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'bank_statements', versionKey: false, strict: 'throw' },
);
bankStatementSchema.index({ organisationId: 1, id: 1 }, { unique: true });
bankStatementSchema.index({ organisationId: 1, fingerprint: 1 }, { unique: true });
bankStatementSchema.index({ organisationId: 1, dateTo: 1, id: 1 });

export const BankStatement = model<BankStatementRecord>('BankStatement', bankStatementSchema);

/** A proposal to match a transaction that a user has rejected. */
export interface RejectedProposal {
  partyId: number;
  /** In ascending order. */
  documentIds: number[];
}

/** A proposed registered payment or refund that a user has rejected. */
export interface RejectedPayment {
  side: LedgerSide;
  paymentId: number;
}

/** One transaction of a bank account; what the bank wrote never changes. */
export interface BankTransactionRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  statementId: number;
  account: string | null;
  /** `YYYY-MM-DD`. */
  bookingDate: string;
  valueDate: string;
  /** Positive if money was received. */
  amount: Types.Decimal128;
  currencyCode: string;
  counterpartyName: string | null;
  counterpartyIban: string | null;
  remittance: string;
  endToEndId: string | null;
  bankReference: string | null;
  state: BankTransactionState;
  /** The payment by which it was matched; null while it is open. */
  side: LedgerSide | null;
  paymentId: number | null;
  partyId: number | null;
  /** Whether the payment was registered before the match, so that it outlasts it; absent in earlier records. */
  isPaymentOlder?: boolean;
  ignoreReason: string | null;
  /** Proposals that are not made again; absent before the first. */
  rejectedProposals?: RejectedProposal[];
  /** Registered payments that are not proposed again; absent before the first. */
  rejectedPayments?: RejectedPayment[];
  /** Identifies the transaction, so that overlapping statements import it once. */
  fingerprint: string;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const bankTransactionSchema = new Schema<BankTransactionRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    statementId: { type: Number, required: true },
    account: text,
    bookingDate: { type: String, required: true },
    valueDate: { type: String, required: true },
    amount: { type: Schema.Types.Decimal128, required: true },
    currencyCode: { type: String, required: true },
    counterpartyName: text,
    counterpartyIban: text,
    remittance: { type: String, default: '' },
    endToEndId: text,
    bankReference: text,
    state: { type: String, enum: BANK_TRANSACTION_STATES, required: true },
    side: { type: String, enum: [...LEDGER_SIDES, null], default: null },
    paymentId: { type: Number, default: null },
    partyId: { type: Number, default: null },
    isPaymentOlder: Boolean,
    ignoreReason: text,
    rejectedProposals: {
      type: [new Schema<RejectedProposal>({ partyId: Number, documentIds: [Number] }, { _id: false, strict: 'throw' })],
      default: undefined,
    },
    rejectedPayments: {
      type: [
        new Schema<RejectedPayment>(
          { side: { type: String, enum: LEDGER_SIDES }, paymentId: Number },
          { _id: false, strict: 'throw' },
        ),
      ],
      default: undefined,
    },
    fingerprint: { type: String, required: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'bank_transactions', versionKey: false, strict: 'throw' },
);
bankTransactionSchema.index({ organisationId: 1, id: 1 }, { unique: true });
bankTransactionSchema.index({ organisationId: 1, fingerprint: 1 }, { unique: true });
bankTransactionSchema.index({ organisationId: 1, bookingDate: 1, id: 1 });
bankTransactionSchema.index({ organisationId: 1, state: 1, bookingDate: 1, id: 1 });
bankTransactionSchema.index({ organisationId: 1, statementId: 1, bookingDate: 1, id: 1 });
bankTransactionSchema.index({ organisationId: 1, tokens: 1, bookingDate: 1, id: 1, state: 1, statementId: 1 });
// Finds the party that was paid from or to an account before.
bankTransactionSchema.index(
  { organisationId: 1, counterpartyIban: 1, side: 1 },
  { partialFilterExpression: { state: 'matched' } },
);
// Finds the transaction of a payment.
bankTransactionSchema.index(
  { organisationId: 1, side: 1, paymentId: 1 },
  { partialFilterExpression: { state: 'matched' } },
);

export const BankTransaction = model<BankTransactionRecord>('BankTransaction', bankTransactionSchema);

import { z } from 'zod';
import { BANK_TRANSACTION_STATES, STATEMENT_FORMATS } from '../../../domain/business/banking/bank-statement';
import { MATCH_REASONS } from '../../../domain/business/banking/match-evidence';
import type { MatchProposal } from '../../../domain/business/banking/matching';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { BankStatementRecord, BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { getTransactionSide } from '../../../services/business/banking/bank-transactions';
import { countRejections } from '../../../services/business/banking/proposal-rejections';
import { day, instant } from '../fields';

/** Response schemas, examples and presenters of bank statements. */

export const statementSchema = z.object({
  id: z.number().int(),
  format: z.enum(STATEMENT_FORMATS),
  number: z.string().nullable().meta({ description: 'Number or id that the bank gave the statement.' }),
  account: z.string().nullable().meta({ description: 'IBAN or account number.' }),
  currencyCode: z.string(),
  dateFrom: day,
  dateTo: day,
  openingBalance: z.number().nullable(),
  closingBalance: z.number().nullable(),
  transactionCount: z.number().int(),
  importedCount: z.number().int().meta({ description: 'Transactions that no earlier statement had.' }),
  createdAt: instant,
});

/** Response body of a statement without its transactions; balances are null where the file states none. */
export const presentStatement = (record: BankStatementRecord) => ({
  id: record.id,
  format: record.format,
  number: record.number,
  account: record.account,
  currencyCode: record.currencyCode,
  dateFrom: record.dateFrom,
  dateTo: record.dateTo,
  openingBalance: record.openingBalance,
  closingBalance: record.closingBalance,
  transactionCount: record.transactionCount,
  importedCount: record.importedCount,
  createdAt: record.createdAt,
});

export const exampleStatement = {
  id: 1,
  format: 'camt.053',
  number: '2026-325',
  account: 'DE89370400440532013000',
  currencyCode: 'EUR',
  dateFrom: '2026-11-20',
  dateTo: '2026-11-21',
  openingBalance: 1000,
  closingBalance: 1119,
  transactionCount: 1,
  importedCount: 1,
  createdAt: '2026-11-21T10:00:00.000+01:00',
} as const;

export const transactionSchema = z.object({
  id: z.number().int(),
  statementId: z.number().int(),
  account: z.string().nullable(),
  bookingDate: day,
  valueDate: day,
  amount: z.number().meta({ description: 'Positive if money was received, negative if it was paid.' }),
  currencyCode: z.string(),
  counterpartyName: z.string().nullable(),
  counterpartyIban: z.string().nullable(),
  remittance: z.string(),
  endToEndId: z.string().nullable(),
  bankReference: z.string().nullable(),
  side: z
    .enum(LEDGER_SIDES)
    .meta({ description: 'What the transaction can settle; of a matched one, the side of its payment.' }),
  state: z.enum(BANK_TRANSACTION_STATES),
  paymentId: z.number().int().nullable().meta({ description: 'Payment by which it was matched.' }),
  partyId: z.number().int().nullable(),
  ignoreReason: z.string().nullable(),
  rejectedProposals: z.number().int().meta({ description: 'Number of proposals that were rejected.' }),
});

/**
 * Response body of a transaction. `side` follows from the sign of the amount unless it is matched; proposals to match it are read
 * separately.
 */
export const presentTransaction = (record: BankTransactionRecord) => ({
  id: record.id,
  statementId: record.statementId,
  account: record.account,
  bookingDate: record.bookingDate,
  valueDate: record.valueDate,
  amount: record.amount,
  currencyCode: record.currencyCode,
  counterpartyName: record.counterpartyName,
  counterpartyIban: record.counterpartyIban,
  remittance: record.remittance,
  endToEndId: record.endToEndId,
  bankReference: record.bankReference,
  side: record.side ?? getTransactionSide(record),
  state: record.state,
  paymentId: record.paymentId,
  partyId: record.partyId,
  ignoreReason: record.ignoreReason,
  rejectedProposals: countRejections(record),
});

export const exampleTransaction = {
  id: 1,
  statementId: 1,
  account: 'DE89370400440532013000',
  bookingDate: '2026-11-21',
  valueDate: '2026-11-21',
  amount: 119,
  currencyCode: 'EUR',
  counterpartyName: 'Example GmbH',
  counterpartyIban: 'DE02120300000000202051',
  remittance: 'INV-2026-000017',
  endToEndId: null,
  bankReference: '2026112100012345',
  side: 'receivable',
  state: 'open',
  paymentId: null,
  partyId: null,
  ignoreReason: null,
  rejectedProposals: 0,
} as const;

export const proposalSchema = z.object({
  partyId: z.number().int().meta({ description: 'Customer (`receivable`) or vendor (`payable`).' }),
  partyName: z.string(),
  payment: z
    .object({
      id: z.number().int(),
      side: z.enum(LEDGER_SIDES),
      type: z.enum(['payment', 'refund']),
      date: day,
      reference: z.string().nullable(),
    })
    .nullable()
    .meta({
      description:
        'A registered payment or refund of this amount that has no bank transaction; accept it with `paymentId` and `side`. Null if accepting registers a payment.',
    }),
  score: z.number().int().meta({ minimum: 0, maximum: 100 }),
  evidence: z
    .array(
      z.object({
        reason: z.enum(MATCH_REASONS),
        points: z.number().int(),
        text: z.string().meta({ description: 'The reason in English.' }),
        documents: z.array(z.string()).meta({
          description:
            'Numbers of the documents that the text of the transaction names (`reference`), or whose open amount it has (`amount`).',
        }),
        amount: z.number().nullable().meta({ description: 'Only of `amount`: the amount of the transaction.' }),
        discount: z.number().nullable().meta({
          description: 'Only of `amount`: discount for early payment by which the open amount is greater.',
        }),
      }),
    )
    .meta({ description: 'Why the proposal fits; the points add up to the score, at most 100.' }),
  allocations: z.array(
    z.object({
      documentId: z.number().int(),
      number: z.string(),
      amount: z.number(),
      discount: z.number().meta({ description: 'Discount for early payment in addition to the amount.' }),
    }),
  ),
  rest: z.number().meta({ description: 'Part of the amount that would stay credit.' }),
});

/** Response body of a proposal; amounts are positive and in the currency of the transaction. */
export const presentProposal = ({
  partyId,
  partyName,
  payment,
  score,
  evidence,
  allocations,
  rest,
}: MatchProposal) => ({
  partyId,
  partyName,
  payment,
  score,
  evidence,
  allocations,
  rest,
});

export const exampleProposal = {
  partyId: 3,
  partyName: 'Example GmbH',
  payment: null,
  score: 100,
  evidence: [
    {
      reason: 'reference',
      points: 55,
      text: 'The text names INV-2026-000017.',
      documents: ['INV-2026-000017'],
      amount: null,
      discount: null,
    },
    {
      reason: 'amount',
      points: 25,
      text: '119 EUR is the open amount of INV-2026-000017.',
      documents: ['INV-2026-000017'],
      amount: 119,
      discount: null,
    },
    {
      reason: 'name',
      points: 20,
      text: 'The name resembles Example GmbH.',
      documents: [],
      amount: null,
      discount: null,
    },
  ],
  allocations: [{ documentId: 17, number: 'INV-2026-000017', amount: 119, discount: 0 }],
  rest: 0,
} as const;

import { sum, ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { ComparedTransaction, DocumentComparison, OpenDocument, RegisteredPayment } from './match-comparison';
import { compareWords } from './name-comparison';
import { namesNumber } from './number-search';

export const MATCH_REASONS = ['payment', 'reference', 'amount', 'name', 'account'] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** Why a proposal fits, with its points. */
export interface MatchEvidence {
  reason: MatchReason;
  points: number;
  text: string;
  /** Numbers of the documents that the text names, or whose open amount the transaction has; else empty. */
  documents: string[];
  /** The amount of the transaction, if it is the open amount of the documents. */
  amount: Decimal | null;
  /** Discount for early payment by which the amount is less than the open amount. */
  discount: Decimal | null;
}

const POINTS: Readonly<Record<MatchReason, number>> = { payment: 55, reference: 55, amount: 25, name: 20, account: 20 };
const MAX_SCORE = 100;
const MIN_NAME_SHARE = 0.5;

/** Of reasons that are not about documents. */
const NO_PARTS = { documents: [], amount: null, discount: null } satisfies Partial<MatchEvidence>;

/** What speaks for documents if their numbers are in the text. */
export function compareReferences({ named }: DocumentComparison, documents: readonly OpenDocument[]): MatchEvidence[] {
  const numbers = documents.filter((document) => named.has(document)).map(({ number }) => number);
  if (numbers.length === 0) return [];
  const text = `The text names ${numbers.join(', ')}.`;
  return [{ ...NO_PARTS, reason: 'reference', points: POINTS.reference, text, documents: numbers }];
}

/** The discount by which an amount is less than the open amount; 0 if it is the open amount, null if it is another one. */
export function findDeductedDiscount(amount: Decimal, documents: readonly OpenDocument[]): Decimal | null {
  const open = sum(documents.map((document) => document.open));
  if (open.eq(amount)) return ZERO;
  const discount = sum(documents.map((document) => document.discount));
  return open.minus(discount).eq(amount) ? discount : null;
}

/** What speaks for documents if the amount is their open amount, which may be less a discount. */
export function compareAmounts(
  amount: Decimal,
  documents: readonly OpenDocument[],
  discount: Decimal | null,
  currencyCode: string,
): MatchEvidence[] {
  if (discount === null) return [];
  const numbers = documents.map(({ number }) => number);
  const what = numbers.length === 1 ? numbers.join('') : `${numbers.length} documents together`;
  const text = `${amount.toFixed()} ${currencyCode} is the open amount of ${what}`;
  const evidence = { reason: 'amount', points: POINTS.amount, documents: numbers, amount } as const;
  if (discount.isZero()) return [{ ...evidence, text: `${text}.`, discount: null }];
  const less = `less the discount for early payment of ${discount.toFixed()} ${currencyCode}`;
  return [{ ...evidence, text: `${text} ${less}.`, discount }];
}

/** What speaks for a party: its name, and earlier transactions of the account. */
export function compareParty(
  { textWords, counterpartyWords, getPartyWords, knownPartyId }: ComparedTransaction,
  { partyId, partyName }: { partyId: number; partyName: string },
): MatchEvidence[] {
  const evidence: MatchEvidence[] = [];
  const partyWords = getPartyWords(partyName);
  const share = Math.max(
    compareWords(counterpartyWords, partyWords),
    compareWords(textWords, partyWords) === 1 ? 1 : 0,
  );
  if (share >= MIN_NAME_SHARE)
    evidence.push({
      ...NO_PARTS,
      reason: 'name',
      points: Math.round(POINTS.name * share),
      text: `The name resembles ${partyName}.`,
    });
  if (knownPartyId === partyId)
    evidence.push({
      ...NO_PARTS,
      reason: 'account',
      points: POINTS.account,
      text: `Earlier transactions of the account were matched with ${partyName}.`,
    });
  return evidence;
}

/** What speaks for a registered payment of the amount. */
export const comparePayment = (
  { searchedText }: ComparedTransaction,
  { id, type, date, reference }: Omit<RegisteredPayment, 'partyId' | 'partyName'>,
): MatchEvidence[] => {
  const named = reference !== null && namesNumber(searchedText, reference) ? [reference] : [];
  return [
    {
      ...NO_PARTS,
      reason: 'payment',
      points: POINTS.payment,
      text: `The ${type} ${id} of ${date} has this amount and no bank transaction.`,
    },
    ...named.map((number) => ({
      ...NO_PARTS,
      reason: 'reference' as const,
      points: POINTS.reference,
      text: `The text names ${number}.`,
      documents: [number],
    })),
  ];
};

export const computeScore = (evidence: readonly MatchEvidence[]): number =>
  Math.min(
    evidence.reduce((total, { points }) => total + points, 0),
    MAX_SCORE,
  );

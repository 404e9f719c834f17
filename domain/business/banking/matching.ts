import { ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import { prepareTransaction } from './match-comparison';
import type {
  ComparedTransaction,
  DocumentComparison,
  MatchedTransaction,
  OpenDocument,
  RegisteredPayment,
} from './match-comparison';
import {
  compareAmounts,
  compareParty,
  comparePayment,
  compareReferences,
  computeScore,
  findDeductedDiscount,
} from './match-evidence';
import type { MatchEvidence } from './match-evidence';
import { namesNumber } from './number-search';

/** Documents of one party that a transaction may pay, or a payment that is registered, with a score from 0 to 100. */
export interface MatchProposal {
  partyId: number;
  partyName: string;
  /** The registered payment; null if accepting registers one. */
  payment: Omit<RegisteredPayment, 'partyId' | 'partyName'> | null;
  /** What each document would receive; the rest of the amount would stay credit. */
  allocations: { documentId: number; number: string; amount: Decimal; discount: Decimal }[];
  /** The part of the amount that no document takes. */
  rest: Decimal;
  score: number;
  evidence: MatchEvidence[];
}

/** A proposal with fewer points is coincidence. */
const MIN_SCORE = 25;
/** The maximum number of proposals for a transaction. */
export const MAX_PROPOSALS = 10;

/** Distributes an amount over documents in their order. */
function distribute(amount: Decimal, documents: readonly OpenDocument[]): Pick<MatchProposal, 'allocations' | 'rest'> {
  let rest = amount;
  const allocations = documents.flatMap(({ id, number, open }) => {
    const part = open.lt(rest) ? open : rest;
    rest = rest.minus(part);
    return part.gt(0) ? [{ documentId: id, number, amount: part, discount: ZERO }] : [];
  });
  return { allocations, rest };
}

/** Settles documents with their discounts. */
const settleWithDiscounts = (documents: readonly OpenDocument[]): Pick<MatchProposal, 'allocations' | 'rest'> => ({
  allocations: documents.map(({ id, number, open, discount }) => ({
    documentId: id,
    number,
    amount: open.minus(discount),
    discount,
  })),
  rest: ZERO,
});

function scoreDocuments(
  transaction: DocumentComparison,
  documents: readonly OpenDocument[],
  currencyCode: string,
): MatchProposal | null {
  const [first] = documents;
  if (first === undefined) return null;
  const { amount } = transaction;
  const discount = findDeductedDiscount(amount, documents);
  const evidence = [
    ...compareReferences(transaction, documents),
    ...compareAmounts(amount, documents, discount, currencyCode),
    ...compareParty(transaction, first),
  ];
  const score = computeScore(evidence);
  if (score < MIN_SCORE) return null;
  const { partyId, partyName } = first;
  const settled = discount?.gt(0) === true ? settleWithDiscounts(documents) : distribute(amount, documents);
  return { partyId, partyName, payment: null, ...settled, score, evidence };
}

/** Proposes a registered payment of the amount of a transaction, which settles no further document. */
function scorePayment(
  transaction: ComparedTransaction,
  { partyId, partyName, ...payment }: RegisteredPayment,
): MatchProposal {
  const evidence = [...comparePayment(transaction, payment), ...compareParty(transaction, { partyId, partyName })];
  return { partyId, partyName, payment, allocations: [], rest: ZERO, score: computeScore(evidence), evidence };
}

/** Proposes registered payments, best first. @param payments of the amount of the transaction, nearest date first */
export function proposePayments(
  transaction: MatchedTransaction,
  payments: readonly RegisteredPayment[],
): MatchProposal[] {
  const compared = prepareTransaction(transaction);
  return payments
    .map((payment) => scorePayment(compared, payment))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PROPOSALS);
}

/** Identifies the documents of a proposal, in any order. */
export const buildProposalKey = (partyId: number, documentIds: readonly number[]): string =>
  `${partyId}:${[...documentIds].sort((a, b) => a - b).join(',')}`;

const byDueDate = (a: OpenDocument, b: OpenDocument): number =>
  a.dueDate === b.dueDate ? a.id - b.id : a.dueDate < b.dueDate ? -1 : 1;

/** Groups of documents of one party that a transaction may pay: each alone, those it names, and all of the party. */
function listGroups({ named: allNamed }: DocumentComparison, documents: readonly OpenDocument[]): OpenDocument[][] {
  const groups = documents.map((document) => [document]);
  for (const partyId of new Set(documents.map((document) => document.partyId))) {
    const own = documents.filter((document) => document.partyId === partyId).sort(byDueDate);
    const named = own.filter((document) => allNamed.has(document));
    if (named.length > 1) groups.push(named);
    if (own.length > 1 && own.length !== named.length) groups.push(own);
  }
  return groups;
}

/**
 * Proposes the documents that a bank transaction pays, best first: by document numbers in its text, by amount, by name,
 * and by the account of the counterparty.
 * @param documents candidates in the currency of the transaction
 */
export function proposeMatches(
  transaction: MatchedTransaction,
  documents: readonly OpenDocument[],
  currencyCode: string,
): MatchProposal[] {
  const rejected = new Set(
    transaction.rejected.map(({ partyId, documentIds }) => buildProposalKey(partyId, documentIds)),
  );
  const isRejected = ({ partyId, allocations }: MatchProposal): boolean =>
    rejected.has(
      buildProposalKey(
        partyId,
        allocations.map(({ documentId }) => documentId),
      ),
    );
  const prepared = prepareTransaction(transaction);
  const named = new Set(documents.filter(({ number }) => namesNumber(prepared.searchedText, number)));
  const compared: DocumentComparison = { ...prepared, named };
  return listGroups(compared, documents)
    .flatMap((group) => scoreDocuments(compared, group, currencyCode) ?? [])
    .filter((proposal) => !isRejected(proposal))
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.allocations.length - a.allocations.length ||
        (a.allocations[0]?.documentId ?? 0) - (b.allocations[0]?.documentId ?? 0),
    )
    .slice(0, MAX_PROPOSALS);
}

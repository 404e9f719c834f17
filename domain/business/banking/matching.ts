import { sum, ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import { splitSearchWords } from '../search-tokens';
import type { LedgerSide } from '../payments/open-items';

/** A document that is open in the currency of a transaction. */
export interface OpenDocument {
  id: number;
  number: string;
  partyId: number;
  partyName: string;
  dueDate: string;
  open: Decimal;
  /** Discount for early payment that a payment on the day of the transaction is granted; 0 if there is none. */
  discount: Decimal;
}

/** What is compared with the documents. Amounts are positive. */
export interface MatchedTransaction {
  amount: Decimal;
  /** Everything that the payer wrote. */
  text: string;
  counterpartyName: string | null;
  /** The party of earlier transactions with the same account of the counterparty. */
  knownPartyId: number | null;
  /** Documents of a party that a user has rejected together. */
  rejected: readonly { partyId: number; documentIds: readonly number[] }[];
}

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

/** A payment or refund that is registered and has no bank transaction. */
export interface RegisteredPayment {
  id: number;
  side: LedgerSide;
  type: 'payment' | 'refund';
  date: string;
  reference: string | null;
  partyId: number;
  partyName: string;
}

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

const POINTS: Readonly<Record<MatchReason, number>> = { payment: 55, reference: 55, amount: 25, name: 20, account: 20 };
const MAX_SCORE = 100;
/** A proposal with fewer points is coincidence. */
const MIN_SCORE = 25;
/** The maximum number of proposals for a transaction. */
export const MAX_PROPOSALS = 10;
/** A shorter number, such as 7, occurs in many texts. */
const MIN_REFERENCE_LENGTH = 4;
const MIN_NAME_SHARE = 0.5;

/** Of the text of a transaction; compatibility forms, of which some have 18 characters, count as they are written out. */
const MAX_TEXT_LENGTH = 4000;

/** Compatibility forms are written out, in lower case. */
const fold = (text: string): string => text.normalize('NFKD').toLowerCase();
const toPlain = (folded: string): string => folded.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A text in which numbers are looked for, with and without separators. */
interface SearchedText {
  folded: string;
  plain: string;
}

function prepareText(text: string): SearchedText {
  const folded = fold(text.slice(0, MAX_TEXT_LENGTH)).slice(0, MAX_TEXT_LENGTH);
  return { folded, plain: toPlain(folded) };
}

/**
 * Finds a number, with any separators between its characters, that is no part of a longer one: no digit touches its digits,
 * and no letter follows a letter. Other letters may touch it, since banks join the lines of a text without a space.
 */
const buildNumberPattern = (plain: string): RegExp =>
  new RegExp(
    `${/^\p{N}/u.test(plain) ? String.raw`(?<!\p{N})` : ''}${[...plain].join(String.raw`[^\p{L}\p{N}]*`)}` +
      (/\p{N}$/u.test(plain) ? String.raw`(?!\p{N})` : String.raw`(?!\p{L})`),
    'u',
  );

function namesNumber(text: SearchedText, number: string): boolean {
  const plain = toPlain(fold(number));
  return (
    plain.length >= MIN_REFERENCE_LENGTH &&
    // Excludes most documents with less effort than the pattern.
    text.plain.includes(plain) &&
    buildNumberPattern(plain).test(text.folded)
  );
}

/** Whether a text names a document number, also with other separators. */
export const namesDocument = (text: string, number: string): boolean => namesNumber(prepareText(text), number);

/** Words that many names have. */
const COMMON_WORDS = new Set(
  'gmbh ag kg ug ohg e.v co inc ltd llc sarl sas sa srl bv nv the und and mr mrs'.split(' '),
);

const listNameWords = (name: string): Set<string> =>
  new Set(splitSearchWords(name).filter((word) => word.length > 1 && !COMMON_WORDS.has(word)));

type Words = ReadonlySet<string>;

function compareWords(first: Words, second: Words): number {
  const [shorter, longer] = first.size < second.size ? [first, second] : [second, first];
  if (shorter.size === 0) return 0;
  return [...shorter].filter((word) => longer.has(word)).length / shorter.size;
}

/** Share of the words that two names have in common, 0 to 1, of the shorter one. */
export const compareNames = (a: string, b: string): number => compareWords(listNameWords(a), listNameWords(b));

/** A transaction whose texts, which are long, are read once, however much is compared with it. */
interface ComparedTransaction extends MatchedTransaction {
  searchedText: SearchedText;
  textWords: Words;
  counterpartyWords: Words;
  /** The words of the name of a party, which many documents have. */
  getPartyWords: (partyName: string) => Words;
}

function prepareTransaction(transaction: MatchedTransaction): ComparedTransaction {
  const searchedText = prepareText(transaction.text);
  const counterparty = prepareText(transaction.counterpartyName ?? '');
  const partyWords = new Map<string, Words>();
  return {
    ...transaction,
    searchedText,
    textWords: listNameWords(searchedText.folded),
    counterpartyWords: listNameWords(counterparty.folded),
    getPartyWords: (partyName) => {
      const words = partyWords.get(partyName) ?? listNameWords(partyName);
      partyWords.set(partyName, words);
      return words;
    },
  };
}

/** A transaction that is compared with documents. */
interface DocumentComparison extends ComparedTransaction {
  /** The documents that the text names. */
  named: ReadonlySet<OpenDocument>;
}

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

/** Of reasons that are not about documents. */
const NO_PARTS = { documents: [], amount: null, discount: null } satisfies Partial<MatchEvidence>;

/** What speaks for documents if their numbers are in the text. */
function compareReferences({ named }: DocumentComparison, documents: readonly OpenDocument[]): MatchEvidence[] {
  const numbers = documents.filter((document) => named.has(document)).map(({ number }) => number);
  if (numbers.length === 0) return [];
  const text = `The text names ${numbers.join(', ')}.`;
  return [{ ...NO_PARTS, reason: 'reference', points: POINTS.reference, text, documents: numbers }];
}

/** The discount by which an amount is less than the open amount; 0 if it is the open amount, null if it is another one. */
function findDeductedDiscount(amount: Decimal, documents: readonly OpenDocument[]): Decimal | null {
  const open = sum(documents.map((document) => document.open));
  if (open.eq(amount)) return ZERO;
  const discount = sum(documents.map((document) => document.discount));
  return open.minus(discount).eq(amount) ? discount : null;
}

/** What speaks for documents if the amount is their open amount, which may be less a discount. */
function compareAmounts(
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
function compareParty(
  { textWords, counterpartyWords, getPartyWords, knownPartyId }: ComparedTransaction,
  { partyId, partyName }: Pick<MatchProposal, 'partyId' | 'partyName'>,
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

const computeScore = (evidence: readonly MatchEvidence[]): number =>
  Math.min(
    evidence.reduce((total, { points }) => total + points, 0),
    MAX_SCORE,
  );

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
  const { id, type, date, reference } = payment;
  const named = reference !== null && namesNumber(transaction.searchedText, reference) ? [reference] : [];
  const evidence: MatchEvidence[] = [
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
    ...compareParty(transaction, { partyId, partyName }),
  ];
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

import type { Decimal } from '../decimal';
import type { LedgerSide } from '../payments/open-items';
import { listNameWords } from './name-comparison';
import type { Words } from './name-comparison';
import { prepareText } from './number-search';
import type { SearchedText } from './number-search';

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

/** A transaction whose texts, which are long, are read once, however much is compared with it. */
export interface ComparedTransaction extends MatchedTransaction {
  searchedText: SearchedText;
  textWords: Words;
  counterpartyWords: Words;
  /** The words of the name of a party, which many documents have. */
  getPartyWords: (partyName: string) => Words;
}

export function prepareTransaction(transaction: MatchedTransaction): ComparedTransaction {
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
export interface DocumentComparison extends ComparedTransaction {
  /** The documents that the text names. */
  named: ReadonlySet<OpenDocument>;
}

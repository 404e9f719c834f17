import { sum } from '../decimal';
import type { Decimal } from '../decimal';
import type { LedgerSide, ItemKind } from '../payments/open-items';
import type { TaxCategory } from '../settings/tax-rates';
import type { Account } from './accounts';

/** What a journal entry posts, in the order of the entries of one day. */
export const JOURNAL_ENTRY_KINDS = [
  'invoice',
  'credit_note',
  'invoice_void',
  'receipt',
  'receipt_billed',
  'receipt_return',
  'bill',
  'vendor_credit_note',
  'bill_void',
  'vendor_credit_note_void',
  'receipt_billed_void',
  'stock',
  'payment',
  'refund',
  'payment_void',
  'allocation',
  'allocation_reversal',
  'discount',
  'write_off',
  'deposit',
  'deduction_reversal',
] as const;
export type JournalEntryKind = (typeof JOURNAL_ENTRY_KINDS)[number];

/** One of several taxes of a rate: its part of the tax is in proportion to `share`. */
export interface ComponentShare {
  name: string;
  /** Percentage in its shortest form. */
  percent: string;
  share: Decimal;
}

/** The figure of a VAT report to which a line belongs. */
export interface LineTax {
  /** `self_assessed`: tax for which the company is liable as the buyer. */
  direction: 'output' | 'input' | 'self_assessed';
  category: TaxCategory;
  /** Percentage in its shortest form, such as `19`. */
  percent: string;
  part: 'net' | 'tax';
  /** The taxes of a rate that has several, such as GST and PST. */
  components?: readonly ComponentShare[];
}

/** The customer or vendor of a line on receivables or payables. */
export interface LineParty {
  side: LedgerSide;
  id: number;
  name: string;
}

/** An amount on one account: positive in debit, negative in credit. */
export interface JournalLine {
  account: Account;
  /** In base currency. */
  base: Decimal;
  /** In the currency of the entry. */
  amount: Decimal;
  party: LineParty | null;
  tax: LineTax | null;
}

/** The records that entries are derived from, by the part of the API that returns them. */
export const JOURNAL_DOCUMENT_TYPES = [
  'invoice',
  'credit_note',
  'payable',
  'receivable_payment',
  'payable_payment',
  'vendor_return',
  'product',
  'adjustment',
  'transfer',
] as const;
export type JournalDocumentType = (typeof JOURNAL_DOCUMENT_TYPES)[number];

/** The document of an entry. */
export interface JournalDocument {
  type: JournalDocumentType;
  id: number;
  number: string;
}

const PAYMENT_TYPES = { receivable: 'receivable_payment', payable: 'payable_payment' } as const;

/** The document behind an open item. */
export function findItemDocumentType(side: LedgerSide, kind: ItemKind): JournalDocumentType {
  if (kind === 'payment') return PAYMENT_TYPES[side];
  if (side === 'payable') return 'payable';
  return kind === 'credit_note' ? 'credit_note' : 'invoice';
}

/** One posting of a document in double entry; its lines add up to zero in both currencies. */
export interface JournalEntry {
  /** Unique within the company and the same at every derivation, such as `invoice:17`. */
  id: string;
  kind: JournalEntryKind;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Day whose chart has the accounts: that of the document that a counter-entry reverses. Absent: `date`. */
  chartDate?: string;
  /** Position within the day and kind. */
  order: number;
  document: JournalDocument;
  description: string;
  currencyCode: string;
  lines: JournalLine[];
}

/** The sums of the lines of an entry, which are zero if it is balanced. */
export const computeImbalance = ({ lines }: Pick<JournalEntry, 'lines'>): { base: Decimal; amount: Decimal } => ({
  base: sum(lines.map(({ base }) => base)),
  amount: sum(lines.map(({ amount }) => amount)),
});

const rankOf = (kind: JournalEntryKind): number => JOURNAL_ENTRY_KINDS.indexOf(kind);

/** Orders entries by day, kind and document, so that every derivation returns the same sequence. */
export const compareEntries = (a: JournalEntry, b: JournalEntry): number =>
  (a.date === b.date ? 0 : a.date < b.date ? -1 : 1) ||
  rankOf(a.kind) - rankOf(b.kind) ||
  a.order - b.order ||
  (a.id < b.id ? -1 : 1);

/** The counter-entry of an entry, with the same accounts. */
export const reverseEntry = (
  entry: JournalEntry,
  as: Pick<JournalEntry, 'id' | 'kind' | 'date' | 'description'>,
): JournalEntry => ({
  ...entry,
  ...as,
  chartDate: entry.chartDate ?? entry.date,
  lines: entry.lines.map((line) => ({ ...line, base: line.base.neg(), amount: line.amount.neg() })),
});

/** Drops the lines without an amount; an entry keeps its lines if all of them have none. */
export function dropEmptyLines(lines: JournalLine[]): JournalLine[] {
  const filled = lines.filter(({ base, amount }) => !base.isZero() || !amount.isZero());
  return filled.length === 0 ? lines : filled;
}

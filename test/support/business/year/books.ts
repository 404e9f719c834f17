import { DECIMALS, divideRounded, unitsToNumber, BASE_CURRENCY } from './money';
import type { Currency } from './money';
import { DAY_MS } from '../../../../domain/durations';

export type Side = 'receivable' | 'payable';
export type LedgerItemKind = 'invoice' | 'receipt' | 'bill' | 'payment' | 'credit_note';

interface LedgerEntry {
  date: string;
  amount: bigint;
  base: bigint;
}

/** A document or credit as returned to clients. */
export interface LedgerItem {
  side: Side;
  kind: LedgerItemKind;
  id: number;
  partyId: number;
  currency: Currency;
  date: string;
  dueDate: string;
  original: bigint;
  originalBase: bigint;
  open: bigint;
  openBase: bigint;
  /** Signed from the point of view of the party's debt. */
  entries: LedgerEntry[];
}

export type NewLedgerItem = Omit<LedgerItem, 'open' | 'openBase' | 'entries'>;

const isCredit = ({ kind }: Pick<LedgerItem, 'kind'>): boolean => kind === 'payment' || kind === 'credit_note';
const getSign = (item: LedgerItem): bigint => (isCredit(item) ? -1n : 1n);

const BUCKETS = ['current', 'days1to30', 'days31to60', 'days61to90', 'over90'] as const;
const COLUMNS = [...BUCKETS, 'unappliedCredit', 'net'] as const;
type AgingColumn = (typeof COLUMNS)[number];
type AgingRow = Record<AgingColumn, bigint>;

const emptyRow = (): AgingRow => ({
  current: 0n,
  days1to30: 0n,
  days31to60: 0n,
  days61to90: 0n,
  over90: 0n,
  unappliedCredit: 0n,
  net: 0n,
});

const toDayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

function selectBucket(dueDate: string, asOf: string): AgingColumn {
  const late = toDayNumber(asOf) - toDayNumber(dueDate);
  if (late <= 0) return 'current';
  if (late <= 30) return 'days1to30';
  if (late <= 60) return 'days31to60';
  return late <= 90 ? 'days61to90' : 'over90';
}

const toJsonNumbers = (row: AgingRow, places: number): Record<string, number> =>
  Object.fromEntries(COLUMNS.map((column) => [column, unitsToNumber(row[column], places)]));

/** The test's own ledger of receivables or payables: documents, credits and their dated entries. */
export class ExpectedLedger {
  readonly items: LedgerItem[] = [];

  /** Adds an item that is open in full, in units of its currency and of the base currency. */
  post(item: NewLedgerItem): LedgerItem {
    const posted: LedgerItem = { ...item, open: item.original, openBase: item.originalBase, entries: [] };
    this.items.push(posted);
    this.addEntry(posted, item.date, item.original, item.originalBase);
    return posted;
  }

  private addEntry(item: LedgerItem, date: string, amount: bigint, base: bigint): void {
    item.entries.push({ date, amount: amount * getSign(item), base: base * getSign(item) });
  }

  /** Its cumulative, rounded share of the item's value in base currency; the last share takes the remainder. */
  computeBaseShare(item: LedgerItem, taken: bigint): bigint {
    if (taken === item.open) return item.openBase;
    const due = divideRounded(item.originalBase * (item.original - item.open + taken), item.original);
    const share = due - (item.originalBase - item.openBase);
    return share > 0n ? share : 0n;
  }

  /** Takes an amount off an item. @returns what it was worth in base currency @throws Error beyond what is open */
  settle(item: LedgerItem, taken: bigint, date: string, base = this.computeBaseShare(item, taken)): bigint {
    if (taken > item.open || taken < 0n) throw new Error(`${item.kind} ${item.id}: ${taken} of ${item.open}`);
    item.open -= taken;
    item.openBase -= base;
    this.addEntry(item, date, -taken, -base);
    return base;
  }

  /**
   * Applies a new credit note to its own document as far as that is open. Both are at one rate, so that the note takes
   * its own value off the document.
   */
  credit(note: LedgerItem, document: LedgerItem, date: string): void {
    const applied = note.open < document.open ? note.open : document.open;
    const isWhole = applied === document.open || note.openBase > document.openBase;
    const relieved = isWhole ? document.openBase : note.openBase;
    const consumed = applied === note.open || note.openBase < relieved ? note.openBase : relieved;
    this.settle(note, applied, date, consumed);
    this.settle(document, applied, date, relieved);
  }

  /** Takes a settlement back; `base` is what `settle` returned for it. */
  restore(item: LedgerItem, amount: bigint, base: bigint, date: string): void {
    item.open += amount;
    item.openBase += base;
    this.addEntry(item, date, amount, base);
  }

  /** The expected aging report, in the form of the API. */
  buildAgingReport(side: Side, asOf: string) {
    const rows = new Map<string, { partyId: number; currency: Currency; amounts: AgingRow; base: AgingRow }>();
    for (const item of this.items.filter((each) => each.side === side)) {
      const entriesToDate = item.entries.filter(({ date }) => date <= asOf);
      const amount = entriesToDate.reduce((total, entry) => total + entry.amount, 0n);
      const base = entriesToDate.reduce((total, entry) => total + entry.base, 0n);
      if (amount === 0n && base === 0n) continue;
      const key = `${item.partyId}/${item.currency}`;
      const { partyId, currency } = item;
      const row = rows.get(key) ?? { partyId, currency, amounts: emptyRow(), base: emptyRow() };
      rows.set(key, row);
      const credit = amount < 0n || (amount === 0n && base < 0n);
      const column = credit ? 'unappliedCredit' : selectBucket(item.dueDate, asOf);
      row.amounts[column] += credit ? -amount : amount;
      row.base[column] += credit ? -base : base;
      row.amounts.net += amount;
      row.base.net += base;
    }
    const total = emptyRow();
    for (const { base } of rows.values()) for (const column of COLUMNS) total[column] += base[column];
    return {
      rows: [...rows.values()]
        .sort((a, b) => a.partyId - b.partyId || (a.currency < b.currency ? -1 : 1))
        .map(({ partyId, currency, amounts, base }) => ({
          partyId,
          currencyCode: currency,
          amounts: toJsonNumbers(amounts, DECIMALS[currency]),
          base: toJsonNumbers(base, DECIMALS[BASE_CURRENCY]),
        })),
      total: toJsonNumbers(total, DECIMALS[BASE_CURRENCY]),
    };
  }
}

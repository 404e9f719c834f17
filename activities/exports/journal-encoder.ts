import { addEntries, NO_ENTRIES } from '../../domain/business/accounting/saft';
import type { EntryTotals } from '../../domain/business/accounting/saft';
import type { JournalEntry } from '../../domain/business/accounting/journal';
import { Decimal } from '../../domain/business/decimal';
import { AppError } from '../../domain/errors';
import { openJournalFile } from '../../services/business/exports/journal-files';
import type { JournalFile } from '../../services/business/exports/journal-files';
import type { RunningExport } from '../../services/business/exports/progress';
import { Compressor } from './compressor';
import type { EncodedPart, PartEncoder } from './part-encoder';

/** Totals as they are stored between parts. */
interface StoredTotals {
  entryCount: number;
  debit: string;
  credit: string;
}

/** State after a part of a journal: the entries so far, and those that its head states. */
interface JournalState {
  totals: StoredTotals;
  stated: StoredTotals | null;
}

const isJournalState = (state: unknown): state is JournalState =>
  typeof state === 'object' && state !== null && 'totals' in state && 'stated' in state;

const storeTotals = ({ entryCount, debit, credit }: EntryTotals): StoredTotals => ({
  entryCount,
  debit: debit.toFixed(),
  credit: credit.toFixed(),
});

const readTotals = ({ entryCount, debit, credit }: StoredTotals): EntryTotals => ({
  entryCount,
  debit: new Decimal(debit),
  credit: new Decimal(credit),
});

const isEqual = (a: EntryTotals, b: EntryTotals): boolean =>
  a.entryCount === b.entryCount && a.debit.eq(b.debit) && a.credit.eq(b.credit);

/** The text with which the first part begins. */
interface Head {
  text: string;
  totals: EntryTotals | null;
}

/** A journal as gzip, with one member per part. */
export class JournalEncoder implements PartEncoder<JournalEntry> {
  private readonly member = Compressor.gzip();
  private totals: EntryTotals;
  private readonly stated: EntryTotals | null;
  private head: string | null;

  constructor(
    private readonly file: JournalFile,
    state: unknown,
    head: Head | null,
  ) {
    const before = isJournalState(state) ? state : null;
    this.totals = before === null ? NO_ENTRIES : readTotals(before.totals);
    if (before === null) this.stated = head?.totals ?? null;
    else this.stated = before.stated === null ? null : readTotals(before.stated);
    this.head = before === null ? (head?.text ?? '') : null;
  }

  /** Compressed bytes so far, without those that the compressor still holds. */
  get size(): number {
    return this.member.size;
  }

  /** Writes entries, after the head of the file in the first part, and adds them to the totals that the head states. */
  async add(entries: readonly JournalEntry[]): Promise<void> {
    await this.begin();
    this.totals = addEntries(this.totals, entries);
    await this.write(await this.file.formatEntries(entries));
  }

  /** @throws AppError 409 `journal_changed` if the entries are not those that the head states */
  async end(last: boolean): Promise<EncodedPart> {
    await this.begin();
    if (last) {
      if (this.stated !== null && !isEqual(this.stated, this.totals))
        throw new AppError('journal_changed', 409, 'Entries were posted while the journal was exported.');
      await this.write(this.file.tail);
    }
    const state: JournalState = {
      totals: storeTotals(this.totals),
      stated: this.stated === null ? null : storeTotals(this.stated),
    };
    return { body: await this.member.end(), writer: state, files: [] };
  }

  private async begin(): Promise<void> {
    const { head } = this;
    this.head = null;
    if (head !== null) await this.write(head);
  }

  private async write(text: string): Promise<void> {
    if (text !== '') await this.member.write(this.file.encode(text));
  }
}

/** Prepares the encoders of an export in a format of the journal; only the first part has a head. */
export async function prepareJournalEncoder(
  record: RunningExport,
): Promise<(now: RunningExport) => PartEncoder<JournalEntry>> {
  const file = await openJournalFile(record);
  const head = isJournalState(record.writer) ? null : await file.buildHead();
  return ({ writer }) => new JournalEncoder(file, writer, head);
}

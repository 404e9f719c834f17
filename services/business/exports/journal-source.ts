import { addDays, readCalendarDate } from '../../../domain/business/calendar';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import type { Cell } from '../../../domain/business/exports/exports';
import { pickCalendar } from '../../../domain/business/settings/business-days';
import { isJournalFormat } from '../../../domain/business/exports/exports';
import type { ExportKey, ExportRecord } from '../../../models/business/exports/export';
import { countEntries, deriveEntries, planWindows } from '../accounting/journal';
import { readJournal } from '../accounting/journal-context';
import type { Days, JournalCompany } from '../accounting/journal-context';
import { FIRST_DAY } from '../accounting/reports';
import { columnFrom } from './source';
import type { Batch, DerivedSource } from './source';

const toJournal = (record: ExportRecord): JournalCompany => ({
  ...pickCalendar(record),
  organisationId: record.organisationId,
  baseCurrencyCode: record.baseCurrencyCode,
});

function readDay(text: string | undefined, timeZone: string, otherwise: string): string {
  if (text === undefined) return otherwise;
  const reading = readCalendarDate(text, timeZone);
  // Filters were checked when the export was requested.
  return 'value' in reading ? reading.value : otherwise;
}

/** The days of an export: by default all until the day on which it was requested. */
export const getExportDays = ({
  filters,
  timeZone,
  today,
}: Pick<ExportRecord, 'filters' | 'timeZone' | 'today'>): Days => ({
  from: readDay(filters.dateFrom, timeZone, FIRST_DAY),
  to: readDay(filters.dateTo, timeZone, today),
});

/** Reads the entries of an export after a day, some days at a time, each in one snapshot. */
export async function* readExportEntries(
  record: ExportRecord,
  after: ExportKey | null,
): AsyncGenerator<Batch<JournalEntry>> {
  const { from, to } = getExportDays(record);
  const rest = { from: typeof after === 'string' ? addDays(after, 1) : from, to };
  if (rest.from > rest.to) return;
  const counts = await readJournal(toJournal(record), (context) => countEntries(context, rest));
  for (const days of planWindows(counts)) {
    const items = await readJournal(toJournal(record), (context) => deriveEntries(context, days));
    yield { items, lastKey: days.to };
  }
}

const toRows = ({ id, kind, date, document, description, currencyCode, lines }: JournalEntry): Cell[][] =>
  lines.map(({ account, base, amount, party, tax }) => [
    date,
    id,
    kind,
    document.number,
    description,
    account.number,
    account.name,
    base.isNegative() ? '0' : base.toFixed(),
    base.isNegative() ? base.neg().toFixed() : '0',
    currencyCode,
    amount.isNegative() ? '0' : amount.toFixed(),
    amount.isNegative() ? amount.neg().toFixed() : '0',
    party?.side ?? null,
    party?.id ?? null,
    party?.name ?? null,
    tax?.direction ?? null,
    tax?.category ?? null,
    tax?.percent ?? null,
    tax?.part ?? null,
  ]);

async function countLines(record: ExportRecord): Promise<number> {
  let lines = 0;
  for await (const { items } of readExportEntries(record, null))
    lines += items.reduce((total, entry) => total + entry.lines.length, 0);
  return lines;
}

async function listCounts(record: ExportRecord) {
  return readJournal(toJournal(record), (context) => countEntries(context, getExportDays(record)));
}

/** The journal: a row per line, or an entry per row in formats of the journal. */
export const JOURNAL_SOURCE: DerivedSource = {
  permission: 'accounting:read',
  columns: [
    columnFrom('date', 'day', null),
    columnFrom('entryId', 'text', null),
    columnFrom('kind', 'text', null),
    columnFrom('documentNumber', 'text', null),
    columnFrom('description', 'text', null),
    columnFrom('accountNumber', 'text', null),
    columnFrom('accountName', 'text', null),
    columnFrom('debit', 'decimal', null),
    columnFrom('credit', 'decimal', null),
    columnFrom('currencyCode', 'text', null),
    columnFrom('currencyDebit', 'decimal', null),
    columnFrom('currencyCredit', 'decimal', null),
    columnFrom('partySide', 'text', null),
    columnFrom('partyId', 'integer', null),
    columnFrom('partyName', 'text', null),
    columnFrom('taxDirection', 'text', null),
    columnFrom('taxCategory', 'text', null),
    columnFrom('taxPercent', 'decimal', null),
    columnFrom('taxPart', 'text', null),
  ],
  equal: {},
  dated: { field: 'date', kind: 'day' },
  search: false,
  findLastKey: async (record) => (await listCounts(record)).at(-1)?.date ?? null,
  count: async (record) =>
    isJournalFormat(record.format)
      ? (await listCounts(record)).reduce((total, { count }) => total + count, 0)
      : countLines(record),
  async *read(record, after) {
    for await (const { items, lastKey } of readExportEntries(record, after))
      yield { items: items.flatMap(toRows), lastKey };
  },
};

import type { ClientSession } from 'mongoose';
import type { Chart } from '../../../domain/business/accounting/accounts';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import { getBusinessDayBounds, listZonePeriods, pickCalendar } from '../../../domain/business/settings/business-days';
import type { BusinessCalendar } from '../../../domain/business/settings/business-days';
import type { TaxComponent } from '../../../domain/business/invoices/tax-components';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import { withMongoSnapshot } from '../../../lib/mongo';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { BusinessCaller } from '../access/caller';
import { findChartOn, readAccountingSettings } from './accounting-settings';

/** The company whose journal is derived. */
export interface JournalCompany extends BusinessCalendar {
  organisationId: string;
  baseCurrencyCode: string;
}

/** What the derivation of entries needs besides the documents, read once. */
export interface JournalContext extends JournalCompany {
  baseDecimals: number;
  chartOn: (date: string) => Chart;
  /** Category and percentage of a rate; both are fixed once a document uses it. */
  taxRates: ReadonlyMap<number, Pick<TaxRow, 'category' | 'percent' | 'components'>>;
  mongoSession: ClientSession | null;
}

/** A range of days, `YYYY-MM-DD`, both inclusive. */
export interface Days {
  from: string;
  to: string;
}

const toShare = ({ name, percent }: TaxComponent) => ({ name, percent, share: new Decimal(percent) });

/** Category, percentage and components of the tax rates of a company, by id. */
export async function readTaxRates(organisationId: string): Promise<JournalContext['taxRates']> {
  const fields = { id: 1, category: 1, percent: 1, components: 1 } as const;
  const rates = await TaxRate.find({ organisationId }, fields).lean<TaxRateRecord[]>();
  return new Map(
    rates.map(({ id, category, percent, components }) => [
      id,
      {
        category,
        percent: fromDecimal128(percent).toFixed(),
        ...(components && { components: components.map(toShare) }),
      },
    ]),
  );
}

/** Reads what the derivation of entries needs. @param mongoSession session of the snapshot in which documents are read */
export async function openJournal(
  company: JournalCompany,
  mongoSession: ClientSession | null = null,
): Promise<JournalContext> {
  const { organisationId, baseCurrencyCode } = company;
  const settings = await readAccountingSettings(organisationId);
  return {
    ...pickCalendar(company),
    organisationId,
    baseCurrencyCode,
    baseDecimals: getCurrencyDecimals(baseCurrencyCode),
    chartOn: (date) => {
      const chart = findChartOn(settings, date);
      if (chart === undefined) throw new Error('no chart of accounts applies to the day');
      return chart;
    },
    taxRates: await readTaxRates(organisationId),
    mongoSession,
  };
}

/** The condition of the days of a date field. */
export const onDays = ({ from, to }: Days): { $gte: string; $lte: string } => ({ $gte: from, $lte: to });

/**
 * The condition of the days of a date field that most records lack. The type selects its partial index, which the query
 * planner does not choose by the days alone.
 */
export const onOptionalDays = (days: Days): { $gte: string; $lte: string; $type: 'string' } => ({
  ...onDays(days),
  $type: 'string',
});

/** The condition of the days of the time of a posting, in the time zone that the company had at that time. */
export const duringDays = ({ from, to }: Days, calendar: BusinessCalendar): { $gte: Date; $lt: Date } => ({
  $gte: getBusinessDayBounds(calendar, from).from,
  $lt: getBusinessDayBounds(calendar, to).until,
});

/** The day of the time of a posting, computed by MongoDB as `toBusinessDay`. @param at path of the time */
export function buildBusinessDay(calendar: BusinessCalendar, at: string): object {
  const [current, ...earlier] = listZonePeriods(calendar).toReversed();
  const toDay = ({ timeZone, earliestToday }: { timeZone: string; earliestToday: string }) => ({
    $max: [{ $dateToString: { date: at, format: '%Y-%m-%d', timezone: timeZone } }, earliestToday],
  });
  if (current === undefined) throw new Error('a company has no time zone');
  if (earlier.length === 0) return toDay(current);
  const branches = earlier.toReversed().map((zone) => ({ case: { $lt: [at, zone.until] }, then: toDay(zone) }));
  return { $switch: { branches, default: toDay(current) } };
}

const UNKNOWN_RATE: Pick<TaxRow, 'category' | 'percent' | 'components'> = { category: 'S', percent: '0' };

/** A line with its tax rate. */
interface TaxedLine {
  taxRateId: number;
  net: Decimal;
  tax: Decimal;
}

/** Groups net amounts and taxes of lines by tax rate. @returns the rows by a key that is the same in every document */
export function groupByTaxRate(
  { taxRates }: Pick<JournalContext, 'taxRates'>,
  lines: readonly TaxedLine[],
): Map<string, TaxRow> {
  const rows = new Map<string, TaxRow>();
  for (const { taxRateId, net, tax } of lines) {
    const rate = taxRates.get(taxRateId) ?? UNKNOWN_RATE;
    // Rates of several taxes can have the same percentage and different taxes.
    const key = [rate.category, rate.percent, ...(rate.components === undefined ? [] : [taxRateId])].join('/');
    const row = rows.get(key) ?? { ...rate, net: new Decimal(0), tax: new Decimal(0) };
    rows.set(key, { ...row, net: row.net.plus(net), tax: row.tax.plus(tax) });
  }
  return rows;
}

/** {@link groupByTaxRate} without the keys. */
export const sumByTaxRate = (context: Pick<JournalContext, 'taxRates'>, lines: readonly TaxedLine[]): TaxRow[] => [
  ...groupByTaxRate(context, lines).values(),
];

/** Derives entries of one snapshot, so that a concurrent posting is seen completely or not at all. */
export const readJournal = <T>(company: JournalCompany, read: (context: JournalContext) => Promise<T>): Promise<T> =>
  withMongoSnapshot(async (mongoSession) => read(await openJournal(company, mongoSession)));

/** The company of a caller as the journal needs it. */
export const toJournalCompany = ({ organisationId, company }: BusinessCaller): JournalCompany => ({
  ...pickCalendar(company),
  organisationId,
  baseCurrencyCode: company.baseCurrencyCode,
});

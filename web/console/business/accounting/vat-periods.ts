import i18next from 'i18next';
import { formatDate } from '../../../shared/format';
import type { Days } from './days';

const PERIOD = /^(\d{4})-(?:Q([1-4])|(\d\d))$/;

const lastDay = (year: number, month: number): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
const firstDay = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}-01`;

/** The days of a period of the VAT report, such as `2026-11` or `2026-Q4`, within those of the report. */
export function readPeriodDays(period: string, report: { dateFrom: string; dateTo: string }): Days {
  const [, year, quarter, month] = PERIOD.exec(period) ?? [];
  if (year === undefined) return report;
  const last = quarter === undefined ? Number(month) : 3 * Number(quarter);
  const first = quarter === undefined ? last : last - 2;
  const [from, to] = [firstDay(Number(year), first), lastDay(Number(year), last)];
  return {
    dateFrom: from < report.dateFrom ? report.dateFrom : from,
    dateTo: to > report.dateTo ? report.dateTo : to,
  };
}

/** A period of the VAT report in the language of the console, such as `November 2026` or `Q4 2026`, else its days. */
export function formatPeriod(period: string, { dateFrom, dateTo }: { dateFrom: string; dateTo: string }): string {
  const [, year, quarter, month] = PERIOD.exec(period) ?? [];
  if (year === undefined) return `${formatDate(dateFrom)} – ${formatDate(dateTo)}`;
  if (quarter !== undefined) return `Q${quarter} ${year}`;
  const format = new Intl.DateTimeFormat(i18next.language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(Date.UTC(Number(year), Number(month) - 1));
}

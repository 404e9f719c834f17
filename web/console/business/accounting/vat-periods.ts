import type { Days } from './days';

const lastDay = (year: number, month: number): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
const firstDay = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}-01`;

/** The days of a period of the VAT report, such as `2026-11` or `2026-Q4`, within those of the report. */
export function readPeriodDays(period: string, report: { dateFrom: string; dateTo: string }): Days {
  const [, year, quarter, month] = /^(\d{4})-(?:Q([1-4])|(\d\d))$/.exec(period) ?? [];
  if (year === undefined) return report;
  const last = quarter === undefined ? Number(month) : 3 * Number(quarter);
  const first = quarter === undefined ? last : last - 2;
  const [from, to] = [firstDay(Number(year), first), lastDay(Number(year), last)];
  return {
    dateFrom: from < report.dateFrom ? report.dateFrom : from,
    dateTo: to > report.dateTo ? report.dateTo : to,
  };
}

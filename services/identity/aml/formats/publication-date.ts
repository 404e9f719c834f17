import type { ListFormat } from './detection';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `05/21/2026` or `21-May-2026` as an ISO date; any other text unchanged. */
function toIsoDate(text: string): string {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (american !== null) return `${american[3]}-${american[1]?.padStart(2, '0')}-${american[2]?.padStart(2, '0')}`;
  const named = /^(\d{1,2})-([a-z]{3})[a-z]*-(\d{4})$/i.exec(text);
  const month = named === null ? 0 : MONTHS.indexOf(named[2]?.toLowerCase() ?? '') + 1;
  return named === null || month === 0
    ? text
    : `${named[3]}-${String(month).padStart(2, '0')}-${named[1]?.padStart(2, '0')}`;
}

/** Where a format states when its publisher generated the file; the others state no date. */
const STATEMENTS: Partial<Record<ListFormat, RegExp>> = {
  un_xml: /<(?:\w+:)?CONSOLIDATED_LIST\b[^>]*\bdateGenerated="([^"]+)"/,
  eu_xml: /<(?:\w+:)?export\b[^>]*\bgenerationDate="([^"]+)"/,
  ofac_xml: /<(?:\w+:)?Publish_Date>\s*([^<]+?)\s*<\//,
  uk_csv: /^\uFEFF?"?Report Date:\s*([^",\r\n]+)/i,
};

/**
 * The date of a list that its publisher states in it, read from its first few thousand characters; null if there is
 * none. A date without a time is the beginning of that day in UTC.
 */
export function readPublicationDate(format: ListFormat, beginning: string): Date | null {
  const stated = STATEMENTS[format]?.exec(beginning)?.[1]?.trim();
  const date = stated === undefined ? null : new Date(toIsoDate(stated));
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

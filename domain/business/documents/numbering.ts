/** How a series writes its numbers; the counter restarts each year of issue. */
export interface SeriesFormat {
  /** Starts every number of the series, such as `INV`. */
  prefix: string;
  /** Sequence digits, padded with zeros; a longer sequence is written whole. */
  padding: number;
}

/** `INV-2026-000042`: prefix, year of the issue date in the company's zone, sequence from 1 without gaps. */
export function formatDocumentNumber(series: SeriesFormat, year: number, sequence: number): string {
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw new RangeError('a sequence is a whole number from 1');
  return `${series.prefix}-${year}-${String(sequence).padStart(series.padding, '0')}`;
}

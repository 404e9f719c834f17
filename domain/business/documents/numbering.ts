/** Number format of a series; the counter restarts with each year of issue. */
export interface SeriesFormat {
  /** Prefix of every number of the series, such as `INV`. */
  prefix: string;
  /** Minimum number of sequence digits, padded with zeros. */
  padding: number;
}

/** `INV-2026-000042`: prefix, year of the issue date in the company's time zone, sequence from 1 without gaps. */
export function formatDocumentNumber(series: SeriesFormat, year: number, sequence: number): string {
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new RangeError('a sequence must be an integer of at least 1');
  return `${series.prefix}-${year}-${String(sequence).padStart(series.padding, '0')}`;
}

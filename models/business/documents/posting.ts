import { model, Schema } from 'mongoose';

/** The counter of one series in one year. */
export interface SeriesYear {
  /** The last sequence given out; the next is one higher. */
  last: number;
  /** A closed year takes no more documents. */
  closed?: boolean;
  /** Chain hash of the last document: each document's hash covers the one before. */
  chainHash?: string;
}

export interface SeriesPosting {
  /** Issue date of the series' latest document, `YYYY-MM-DD`; none may be dated before it. */
  lastIssueDate?: string;
  /** By `y<year>`. */
  years: Record<string, SeriesYear>;
}

/**
 * The one shared document that every dated posting of an organisation writes: it holds the period lock and the series
 * counters, so that a lock and a posting, or two postings of one series, always conflict instead of both passing
 * under snapshot isolation.
 */
export interface PostingRecord {
  /** The organisation's id. */
  _id: string;
  /** Postings dated on or before this day are refused; `YYYY-MM-DD`. */
  lockedThrough: string | null;
  /** Counts every posting, so that each one writes. */
  version: number;
  /**
   * What the base currency was changed to; null while it never was. A change is written here, so that it conflicts with
   * a first posting, and one worked out in the currency before is refused.
   */
  baseCurrencyCode: string | null;
  /** By `s<seriesId>`. */
  series: Record<string, SeriesPosting>;
}

const postingSchema = new Schema<PostingRecord>(
  {
    _id: { type: String, required: true },
    lockedThrough: { type: String, default: null },
    version: { type: Number, required: true, default: 0 },
    baseCurrencyCode: { type: String, default: null },
    series: { type: Schema.Types.Mixed, required: true, default: {} },
  },
  { collection: 'postings', versionKey: false, strict: 'throw', minimize: false },
);

export const Posting = model<PostingRecord>('Posting', postingSchema);

export const seriesKey = (seriesId: number): string => `s${seriesId}`;
export const yearKey = (year: number): string => `y${year}`;

import { model, Schema } from 'mongoose';

/** The counter of one series in one year. */
export interface SeriesYear {
  /** The last allocated sequence. */
  last: number;
  /** Whether the year accepts no more documents. */
  closed?: boolean;
  /** Chain hash of the last document; each document's hash covers the previous one. */
  chainHash?: string;
}

export interface SeriesPosting {
  /** Issue date of the series' latest document, `YYYY-MM-DD`; no document may be dated before it. */
  lastIssueDate?: string;
  /** Counters by `y<year>`. */
  years: Record<string, SeriesYear>;
}

/**
 * The document that every dated posting of an organisation writes. It has the period lock and the series counters, so
 * that a lock and a posting, or two postings of one series, always conflict instead of both succeeding under snapshot
 * isolation.
 */
export interface PostingRecord {
  /** Id of the organisation. */
  _id: string;
  /** Postings dated on or before this day are rejected; `YYYY-MM-DD`. */
  lockedThrough: string | null;
  /** Incremented by every posting, so that each posting writes the document. */
  version: number;
  /**
   * The base currency after a change; null if it was never changed. A change is written here, so that it conflicts with
   * a first posting, and a posting computed in the previous currency is rejected.
   */
  baseCurrencyCode: string | null;
  /** Incremented by every change of the chart of accounts, so that it conflicts with a lock of the period. */
  chartVersion?: number;
  /** Incremented by every change that relates to the base currency without posting, so that it conflicts with a change of it. */
  currencyVersion?: number;
  /** Series by `s<seriesId>`. */
  series: Record<string, SeriesPosting>;
}

const postingSchema = new Schema<PostingRecord>(
  {
    _id: { type: String, required: true },
    lockedThrough: { type: String, default: null },
    version: { type: Number, required: true, default: 0 },
    baseCurrencyCode: { type: String, default: null },
    chartVersion: { type: Number },
    currencyVersion: { type: Number },
    series: { type: Schema.Types.Mixed, required: true, default: {} },
  },
  { collection: 'postings', versionKey: false, strict: 'throw', minimize: false },
);

export const Posting = model<PostingRecord>('Posting', postingSchema);

/** The key of a series in `series`, which MongoDB accepts in a path of an update. */
export const seriesKey = (seriesId: number): string => `s${seriesId}`;

/** The key of a year in `years` of a series. */
export const yearKey = (year: number): string => `y${year}`;

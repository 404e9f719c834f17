import { model, Schema } from 'mongoose';
import { GOLDEN_COPY_DATASETS } from '../../../domain/identity/registers/gleif/golden-copy';
import type { GoldenCopyDataset } from '../../../domain/identity/registers/gleif/golden-copy';

/**
 * `active`: the edition that lookups read, one per data set. `superseded`: an older edition, whose rows are being or
 * were removed.
 */
export const GLEIF_EDITION_STATUSES = ['importing', 'active', 'superseded', 'failed'] as const;

export type GleifEditionStatus = (typeof GLEIF_EDITION_STATUSES)[number];

export interface GleifEditionRecord {
  /** Sequential number; rows carry it instead of an id of thirty characters. */
  _id: number;
  dataset: GoldenCopyDataset;
  status: GleifEditionStatus;
  fileName: string;
  /** SHA-256 of the file as received, compressed or not; an interrupted import of the same file is resumed. */
  sha256: string;
  bytes: number;
  /** Publication time; null if the file name does not contain it. */
  publishedAt: Date | null;
  /** `read`: number of processed rows, from which an interrupted import resumes. */
  rows: { read: number; taken: number; passedOver: number };
  /** Error code of a failed import. */
  failure: string | null;
  startedAt: Date;
  /** Time of the last written batch. */
  progressAt: Date;
  completedAt: Date | null;
}

const rowsSchema = new Schema(
  {
    read: { type: Number, required: true },
    taken: { type: Number, required: true },
    passedOver: { type: Number, required: true },
  },
  { _id: false },
);

/** An imported file of GLEIF's golden copy. It serves the whole installation: its content is public. */
const gleifEditionSchema = new Schema<GleifEditionRecord>(
  {
    _id: { type: Number, required: true },
    dataset: { type: String, enum: GOLDEN_COPY_DATASETS, required: true },
    status: { type: String, enum: GLEIF_EDITION_STATUSES, required: true },
    fileName: { type: String, required: true },
    sha256: { type: String, required: true },
    bytes: { type: Number, required: true },
    publishedAt: { type: Date, default: null },
    rows: { type: rowsSchema, required: true },
    failure: { type: String, default: null },
    startedAt: { type: Date, required: true },
    progressAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
  },
  { collection: 'gleif_editions', versionKey: false, strict: 'throw' },
);
gleifEditionSchema.index({ dataset: 1, status: 1 });
// Of two simultaneous imports only one becomes the active edition.
gleifEditionSchema.index({ dataset: 1 }, { unique: true, partialFilterExpression: { status: 'active' } });

export const GleifEdition = model<GleifEditionRecord>('GleifEdition', gleifEditionSchema);

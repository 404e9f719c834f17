import { model, Schema } from 'mongoose';
import { GOLDEN_COPY_DATASETS } from '../../../domain/identity/registers/gleif/golden-copy';
import type { GoldenCopyDataset } from '../../../domain/identity/registers/gleif/golden-copy';

/** `active`: the edition that look-ups read, one a data set. `superseded`: an older one, whose rows are gone or going. */
export const GLEIF_EDITION_STATUSES = ['importing', 'active', 'superseded', 'failed'] as const;

export type GleifEditionStatus = (typeof GLEIF_EDITION_STATUSES)[number];

export interface GleifEditionRecord {
  /** 1 upwards; rows carry it instead of an id of thirty characters */
  _id: number;
  dataset: GoldenCopyDataset;
  status: GleifEditionStatus;
  fileName: string;
  /** of the file as it came, zipped or not: the same file is taken up where it was left */
  sha256: string;
  bytes: number;
  /** when GLEIF published it; null where the file's name does not say */
  publishedAt: Date | null;
  /** `read`: rows dealt with, from where an interrupted import goes on */
  rows: { read: number; taken: number; passedOver: number };
  /** why it was not taken: an error code */
  failure: string | null;
  startedAt: Date;
  /** of the last batch written */
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

/** An imported file of GLEIF's golden copy. It serves the whole installation: what it holds is published. */
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
// Two imports that end together cannot both become the edition that is read.
gleifEditionSchema.index({ dataset: 1 }, { unique: true, partialFilterExpression: { status: 'active' } });

export const GleifEdition = model<GleifEditionRecord>('GleifEdition', gleifEditionSchema);

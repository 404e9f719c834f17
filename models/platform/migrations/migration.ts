import { model, Schema } from 'mongoose';

/** A migration that was started, with its progress. */
export interface MigrationRecord {
  /** Number of the migration. */
  _id: number;
  name: string;
  startedAt: Date;
  /** When its last batch was committed. */
  updatedAt: Date;
  /** Null until it is completed. */
  finishedAt: Date | null;
  /** Records that it converted. */
  converted: number;
  /** Where the next batch begins; its form is known to the migration only. */
  cursor: string | null;
  /** Runs, including those that were interrupted. */
  runs: number;
}

const migrationSchema = new Schema<MigrationRecord>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    startedAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
    converted: { type: Number, required: true },
    cursor: { type: String, default: null },
    runs: { type: Number, required: true },
  },
  { collection: 'migrations', versionKey: false, strict: 'throw' },
);

export const MigrationRun = model<MigrationRecord>('MigrationRun', migrationSchema);

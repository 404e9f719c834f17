import { model, Schema } from 'mongoose';

/** The one row that says which form the data of this database has, and which process converts it. */
export interface SchemaStateRecord {
  _id: 'schema';
  /** Number of the last completed migration; 0 for data of versions without migrations. */
  version: number;
  /** Version of Vouch that completed it. */
  release: string;
  /** Id of the process that runs migrations, with a heartbeat while it lives; null if none does. */
  migratingProcess: string | null;
  updatedAt: Date;
}

const schemaStateSchema = new Schema<SchemaStateRecord>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    release: { type: String, required: true },
    migratingProcess: { type: String, default: null },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'schema_state', versionKey: false, strict: 'throw' },
);

export const SchemaState = model<SchemaStateRecord>('SchemaState', schemaStateSchema);

import { model, Schema } from 'mongoose';

/** A completed conversion of stored data to a newer form; each runs once per installation. */
export interface DataUpgradeRecord {
  /** Name of the conversion. */
  _id: string;
  completedAt: Date;
}

const dataUpgradeSchema = new Schema<DataUpgradeRecord>(
  { _id: { type: String, required: true }, completedAt: { type: Date, required: true } },
  { collection: 'data_upgrades', versionKey: false, strict: 'throw' },
);

export const DataUpgrade = model<DataUpgradeRecord>('DataUpgrade', dataUpgradeSchema);

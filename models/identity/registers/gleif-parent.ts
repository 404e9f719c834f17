import { model, Schema } from 'mongoose';
import type { GoldenCopyParent } from '../../../domain/identity/registers/gleif/golden-copy';

export interface GleifParentRecord extends GoldenCopyParent {
  edition: number;
}

/**
 * The parent that consolidates a legal entity's accounts, or the reasons why none is reported: level 2 of an edition.
 */
const gleifParentSchema = new Schema<GleifParentRecord>(
  {
    edition: { type: Number, required: true },
    lei: { type: String, required: true },
    relation: { type: String, enum: ['direct', 'ultimate'], required: true },
    parentLei: { type: String, default: null },
    exceptions: { type: [String], required: true },
  },
  { collection: 'gleif_parents', versionKey: false, strict: 'throw' },
);
// Unique, so that a batch written twice leaves no duplicates; of several parents the first is kept.
gleifParentSchema.index({ edition: 1, lei: 1, relation: 1 }, { unique: true });

export const GleifParent = model<GleifParentRecord>('GleifParent', gleifParentSchema);

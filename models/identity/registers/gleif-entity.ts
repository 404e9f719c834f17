import { model, Schema } from 'mongoose';
import type { Company } from '../../../domain/identity/kyb/company';

export interface GleifEntityRecord {
  edition: number;
  lei: string;
  /** All its names, normalised and without legal form. */
  nameKeys: string[];
  /** Phonetic keys of the distinctive words of all its names. */
  nameWords: string[];
  registrationNumber: string | null;
  company: Company;
  /** Time of the last update by the LEI issuer, ISO 8601. */
  updatedAt: string | null;
}

/** A legal entity of an edition of the golden copy (level 1). */
const gleifEntitySchema = new Schema<GleifEntityRecord>(
  {
    edition: { type: Number, required: true },
    lei: { type: String, required: true },
    nameKeys: { type: [String], required: true },
    nameWords: { type: [String], required: true },
    registrationNumber: { type: String, default: null },
    company: { type: Schema.Types.Mixed, required: true },
    updatedAt: { type: String, default: null },
  },
  { collection: 'gleif_entities', versionKey: false, strict: 'throw' },
);
// Unique, so that a batch written twice leaves no duplicates.
gleifEntitySchema.index({ edition: 1, lei: 1 }, { unique: true });
gleifEntitySchema.index({ edition: 1, nameKeys: 1 });
gleifEntitySchema.index({ edition: 1, nameWords: 1 });
gleifEntitySchema.index({ edition: 1, registrationNumber: 1 });

export const GleifEntity = model<GleifEntityRecord>('GleifEntity', gleifEntitySchema);

import { model, Schema } from 'mongoose';
import type { Company } from '../../../domain/identity/kyb/company';

export interface GleifEntityRecord {
  edition: number;
  lei: string;
  /** each of its names, folded and without legal form */
  nameKeys: string[];
  /** telling words of all its names, by their sound */
  nameWords: string[];
  registrationNumber: string | null;
  company: Company;
  /** when its issuer last brought it up to date, ISO 8601 */
  updatedAt: string | null;
}

/** A legal entity of an edition of the golden copy, level 1. */
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
// Unique, so that a batch written twice is written once.
gleifEntitySchema.index({ edition: 1, lei: 1 }, { unique: true });
gleifEntitySchema.index({ edition: 1, nameKeys: 1 });
gleifEntitySchema.index({ edition: 1, nameWords: 1 });
gleifEntitySchema.index({ edition: 1, registrationNumber: 1 });

export const GleifEntity = model<GleifEntityRecord>('GleifEntity', gleifEntitySchema);

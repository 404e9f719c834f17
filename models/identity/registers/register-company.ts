import { model, Schema } from 'mongoose';

export interface RegisterCompanyRecord {
  organisationId: string;
  mode: 'live' | 'test';
  /** the import it belongs to */
  registerId: string;
  /** what makes the row one of a kind: its registration number and country, else its LEI, else its name */
  rowKey: string;
  /** the folded name without legal form */
  nameKey: string;
  nameWords: string[];
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
  /** the whole row, officers and owners included, sealed under the import's data key */
  sealed: string;
}

/** A row of a company register: what it is found by in the clear, the rest, where people are named, sealed. */
const registerCompanySchema = new Schema<RegisterCompanyRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    registerId: { type: String, required: true },
    rowKey: { type: String, required: true },
    nameKey: { type: String, required: true },
    nameWords: { type: [String], required: true },
    country: { type: String, default: null },
    registrationNumber: { type: String, default: null },
    vatNumber: { type: String, default: null },
    lei: { type: String, default: null },
    sealed: { type: String, required: true },
  },
  { collection: 'register_companies', versionKey: false, strict: 'throw' },
);
const registerIndexPrefix = { organisationId: 1, mode: 1, registerId: 1 } as const;
registerCompanySchema.index({ ...registerIndexPrefix, rowKey: 1 }, { unique: true });
registerCompanySchema.index({ ...registerIndexPrefix, nameKey: 1 });
registerCompanySchema.index({ ...registerIndexPrefix, nameWords: 1 });
registerCompanySchema.index({ ...registerIndexPrefix, registrationNumber: 1 });
registerCompanySchema.index({ ...registerIndexPrefix, vatNumber: 1 });
registerCompanySchema.index({ ...registerIndexPrefix, lei: 1 });

export const RegisterCompany = model<RegisterCompanyRecord>('RegisterCompany', registerCompanySchema);

import { model, Schema } from 'mongoose';

export interface RegisterCompanyRecord {
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the import. */
  registerId: string;
  /** Identifies the row within the file: registration number and country, otherwise the LEI, otherwise the name. */
  rowKey: string;
  /** The normalised name without legal form. */
  nameKey: string;
  nameWords: string[];
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
  /** The whole row including officers and owners, sealed under the import's data key. */
  sealed: string;
}

/**
 * A row of a company register: the search keys are stored in the clear, all other data, which may name people, is
 * sealed.
 */
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

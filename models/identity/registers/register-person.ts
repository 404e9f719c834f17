import { model, Schema } from 'mongoose';

export interface RegisterPersonRecord {
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the import. */
  registerId: string;
  /** HMAC of country and national number under the import's data key; lookups search by it. */
  numberKey: string;
  /** The person, sealed under the import's data key. */
  sealed: string;
}

/** A row of a person register: neither readable nor searchable without the data key of its import. */
const registerPersonSchema = new Schema<RegisterPersonRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    registerId: { type: String, required: true },
    numberKey: { type: String, required: true },
    sealed: { type: String, required: true },
  },
  { collection: 'register_persons', versionKey: false, strict: 'throw' },
);
registerPersonSchema.index({ organisationId: 1, mode: 1, registerId: 1, numberKey: 1 }, { unique: true });

export const RegisterPerson = model<RegisterPersonRecord>('RegisterPerson', registerPersonSchema);

import { model, Schema } from 'mongoose';

/**
 * A signature of the head of an organisation's audit chain. With write access to the database alone, altered rows can be
 * chained again but not signed.
 */
export interface AuditSignatureRecord {
  /** `<organisation>.<position>` */
  _id: string;
  organisationId: string;
  position: number;
  /** JWS (ES256) of the organisation, position, hash and time. */
  token: string;
  signedAt: Date;
}

const auditSignatureSchema = new Schema<AuditSignatureRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    position: { type: Number, required: true },
    token: { type: String, required: true },
    signedAt: { type: Date, required: true },
  },
  { collection: 'audit_signatures', versionKey: false, strict: 'throw' },
);
auditSignatureSchema.index({ organisationId: 1, position: 1 });

export const AuditSignature = model<AuditSignatureRecord>('AuditSignature', auditSignatureSchema);

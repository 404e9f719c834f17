import { model, Schema } from 'mongoose';

/**
 * The end of an organisation's audit chain as it was at one moment, signed. Whoever can write to the database can chain
 * altered rows anew, and cannot sign them.
 */
export interface AuditSignatureRecord {
  /** `<organisation>.<position>` */
  _id: string;
  organisationId: string;
  position: number;
  /** JWS (ES256) of organisation, position, hash and instant */
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

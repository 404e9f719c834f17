import { model, Schema } from 'mongoose';
import { SHARE_INCLUDES } from '../../../domain/identity/sharing/sharing';
import type { ShareInclude } from '../../../domain/identity/sharing/sharing';
import { sealFields } from '../../sealed-fields';

/** A finished session offered once to another organisation, with the consent that it is based on. */
export interface ShareRecord {
  /** `shr_…`, the `jti` of its token. */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  sessionId: string;
  /** Id of an organisation, or issuer of another installation. */
  audience: string;
  /** How often the session had been opened when it was shared; null for shares of earlier versions. */
  opening?: number | null;
  include: ShareInclude[];
  /** Consent text as shown to the person. */
  consentText: string;
  /** Evidence id of the exported bundle; null if none was requested. */
  bundleEvidenceId: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** Time at which it was imported within this installation. */
  consumedAt: Date | null;
  /** Time of revocation; an imported share cannot be revoked. */
  revokedAt: Date | null;
}

const shareSchema = new Schema<ShareRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, required: true },
    audience: { type: String, required: true },
    opening: { type: Number, default: null },
    include: { type: [{ type: String, enum: SHARE_INCLUDES }], default: [] },
    consentText: { type: Schema.Types.Mixed, required: true },
    bundleEvidenceId: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    consumedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { collection: 'shares', versionKey: false, strict: 'throw' },
);
sealFields(shareSchema, { collection: 'shares', fields: ['consentText'], owner: 'sessionId' });
shareSchema.index({ organisationId: 1, mode: 1, sessionId: 1, _id: -1 });

export const Share = model<ShareRecord>('Share', shareSchema);

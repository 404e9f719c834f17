import { model, Schema } from 'mongoose';
import { SHARE_INCLUDES } from '../../../domain/identity/sharing/sharing';
import type { ShareInclude } from '../../../domain/identity/sharing/sharing';

/** A finished session offered to another organisation, once, with the consent it rests on. */
export interface ShareRecord {
  /** `shr_…`, the `jti` of its token */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  sessionId: string;
  /** an organisation's id, or the issuer of an installation */
  audience: string;
  include: ShareInclude[];
  /** What the person agreed to, as it was shown to them. */
  consentText: string;
  /** the exported bundle, where one was asked for */
  bundleEvidenceId: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** when it was taken up within this installation */
  consumedAt: Date | null;
  /** when it was taken back, before anybody took it up */
  revokedAt: Date | null;
}

const shareSchema = new Schema<ShareRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, required: true },
    audience: { type: String, required: true },
    include: { type: [{ type: String, enum: SHARE_INCLUDES }], default: [] },
    consentText: { type: String, required: true },
    bundleEvidenceId: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    consumedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { collection: 'shares', versionKey: false, strict: 'throw' },
);
shareSchema.index({ organisationId: 1, mode: 1, sessionId: 1, _id: -1 });

export const Share = model<ShareRecord>('Share', shareSchema);

import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/** Who a link is for: the person, or another device of a person who has opened the capture page already. */
export const CAPTURE_LINK_PURPOSES = ['person', 'hand_over'] as const;

export interface CaptureLinkRecord {
  /** `cpl_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  sessionId: string;
  purpose: (typeof CAPTURE_LINK_PURPOSES)[number];
  /** SHA-256 of the token, which is not stored. */
  tokenHash: string;
  /** The credential, user or browser of the capture page. */
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** When it was exchanged: it can be exchanged once. */
  usedAt: Date | null;
  /** When a newer link of the session replaced it. */
  replacedAt: Date | null;
}

const captureLinkSchema = new Schema<CaptureLinkRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, required: true },
    purpose: { type: String, enum: CAPTURE_LINK_PURPOSES, required: true },
    tokenHash: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    usedAt: { type: Date, default: null },
    replacedAt: { type: Date, default: null },
  },
  { collection: 'capture_links', versionKey: false, strict: 'throw' },
);
captureLinkSchema.index({ tokenHash: 1 }, { unique: true });
captureLinkSchema.index({ organisationId: 1, mode: 1, sessionId: 1 });
// Kept for a month after expiry, so that the page can distinguish a used or expired link from an unknown one.
captureLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 30 * DAY_SECONDS });

/** A link to the capture page of a session. */
export const CaptureLink = model<CaptureLinkRecord>('CaptureLink', captureLinkSchema);

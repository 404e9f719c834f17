import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

export interface CaptureBrowserRecord {
  /** `cpb_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  sessionId: string;
  /** SHA-256 of the cookie's token, which is not stored. */
  tokenHash: string;
  /** The browser that handed the capture over to this one; null for a browser that the person opened a link with. */
  handedOverBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

const captureBrowserSchema = new Schema<CaptureBrowserRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, required: true },
    tokenHash: { type: String, required: true },
    handedOverBy: { type: String, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
  },
  { collection: 'capture_browsers', versionKey: false, strict: 'throw' },
);
captureBrowserSchema.index({ tokenHash: 1 }, { unique: true });
captureBrowserSchema.index({ organisationId: 1, mode: 1, sessionId: 1 });
captureBrowserSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

/** A browser in which the person of a session has opened the capture page; its cookie gives access to that session only. */
export const CaptureBrowser = model<CaptureBrowserRecord>('CaptureBrowser', captureBrowserSchema);

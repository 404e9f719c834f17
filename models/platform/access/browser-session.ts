import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * A person signed in to the identity API from a browser. The cookie's token is kept only as its SHA-256, and every
 * request looks here, so that a logout ends the session on every replica at once.
 */
const browserSessionSchema = new Schema(
  {
    /** `bws_…` */
    _id: { type: String, required: true },
    tokenHash: { type: String, required: true },
    organisationId: { type: String, required: true },
    /** Chosen at login: what the session sees and changes. */
    mode: { type: String, enum: ['live', 'test'], required: true },
    userId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    /** Written at most once a minute. */
    lastSeenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
  },
  { collection: 'browser_sessions', versionKey: false, strict: 'throw' },
);
browserSessionSchema.index({ tokenHash: 1 }, { unique: true });
browserSessionSchema.index({ organisationId: 1, userId: 1 });
browserSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export type BrowserSessionRecord = InferSchemaType<typeof browserSessionSchema>;
export const BrowserSession = model('BrowserSession', browserSessionSchema);

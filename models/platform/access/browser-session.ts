import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * A user's sign-in to both APIs from a browser. Only the SHA-256 of the cookie's token is stored. Every request
 * reads the session, so that a logout takes effect immediately on every replica.
 */
const browserSessionSchema = new Schema(
  {
    /** `bws_…` */
    _id: { type: String, required: true },
    tokenHash: { type: String, required: true },
    organisationId: { type: String, required: true },
    /** Mode of the session; another mode is another session. */
    mode: { type: String, enum: ['live', 'test'], required: true },
    userId: { type: String, required: true },
    /** Address and User-Agent of the sign-in. */
    address: { type: String, default: null },
    device: { type: String, default: null },
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

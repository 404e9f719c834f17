import { model, Schema } from 'mongoose';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessAction } from '../../../domain/identity/biometrics/active-liveness';
import { DAY_SECONDS } from '../../../domain/durations';

export interface LivenessChallengeRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** The session it was created for; null for any session or a standalone check. */
  sessionId: string | null;
  actions: LivenessAction[];
  createdAt: Date;
  expiresAt: Date;
  /** The check that answered it. */
  usedBy: string | null;
}

/** A random sequence of actions that a person performs in front of the camera; it can be answered once. */
const livenessChallengeSchema = new Schema<LivenessChallengeRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, default: null },
    actions: { type: [{ type: String, enum: LIVENESS_ACTIONS }], required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    usedBy: { type: String, default: null },
  },
  { collection: 'liveness_challenges', versionKey: false, strict: 'throw' },
);
// Kept for a day after expiry, so that the API can distinguish an expired challenge from an unknown one.
livenessChallengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export const LivenessChallenge = model<LivenessChallengeRecord>('LivenessChallenge', livenessChallengeSchema);

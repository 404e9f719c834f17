import { model, Schema } from 'mongoose';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessAction } from '../../../domain/identity/biometrics/active-liveness';
import { DAY_SECONDS } from '../../../domain/durations';

export interface LivenessChallengeRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** the session it is for; null: any, or a check that stands alone */
  sessionId: string | null;
  actions: LivenessAction[];
  createdAt: Date;
  expiresAt: Date;
  /** the check that answered it */
  usedBy: string | null;
}

/** What a person is asked to do before the camera, once. */
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
// An expired one is told from an unknown one for a day.
livenessChallengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export const LivenessChallenge = model<LivenessChallengeRecord>('LivenessChallenge', livenessChallengeSchema);

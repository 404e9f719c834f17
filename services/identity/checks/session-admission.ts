import type { ClientSession } from 'mongoose';
import { conflictError } from '../../../domain/errors';
import { isCaptured } from '../../../domain/identity/capture/capture-steps';
import { CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { acceptsChecks, sessionClosedError } from '../../../domain/identity/sessions/session';
import { countAttemptsLeft } from '../../../domain/identity/sessions/steps';
import type { Step } from '../../../domain/identity/sessions/steps';
import { Check } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import { getSession } from '../sessions/session-store';

/** A session that accepts a check. */
export interface Admission {
  session: SessionRecord;
  /** True for a comparison sent after the decision: it is stored and answered, but does not affect the session. */
  supplementary: boolean;
}

/**
 * A session can compare portrait and selfie automatically, and decide, before the client's own comparison arrives. One
 * such late comparison is accepted as a supplementary check.
 */
async function acceptsSupplementaryCheck(
  session: SessionRecord,
  step: Step,
  mongoSession: ClientSession | undefined,
): Promise<boolean> {
  const decided = ['approved', 'declined', 'in_review'].includes(session.status);
  const comparedAutomatically = step.attempts.length > 0 && step.attempts.every(({ origin }) => origin === 'follow_on');
  if (step.feature !== 'face_match' || !decided || !comparedAutomatically) return false;
  const { _id: sessionId, organisationId, mode } = session;
  const existing = await Check.exists({
    organisationId,
    mode,
    sessionId,
    supplementary: true,
    deletedAt: null,
  }).session(mongoSession ?? null);
  return existing === null;
}

/** A check that is about to be submitted to a session. */
export interface AdmissionRequest {
  sessionId: string;
  kind: CheckKind;
  /**
   * Whether the person sends it on the capture page, which offers a step only while it waits for a capture. Of two devices
   * that capture a step at the same time, the later one would use another attempt.
   * @default false
   */
  isCapture?: boolean | undefined;
}

/**
 * Finds the session of a new check and asserts that it accepts a check of this kind now. `submitCheck` calls it twice:
 * before it stores evidence, so that a rejected request stores none, and in its transaction, because the session may
 * have changed in between.
 *
 * @throws AppError 404 unknown session; 409 `feature_not_requested`, `session_closed`, `attempts_exhausted`, `step_captured`
 */
export async function admitCheck(
  platform: Platform,
  scope: Scope,
  { sessionId, kind, isCapture = false }: AdmissionRequest,
  mongoSession?: ClientSession,
): Promise<Admission> {
  const session = await getSession(scope, sessionId, mongoSession);
  const { feature } = CHECKS[kind];
  const { features, settings, status } = session;
  const step = session.steps.find((candidate) => candidate.feature === feature);
  if (step === undefined) {
    const verified = features.join(', ');
    throw conflictError('feature_not_requested', `The session verifies ${verified}, not ${feature ?? kind}.`, {
      features,
    });
  }
  if (!acceptsChecks(status)) {
    if (await acceptsSupplementaryCheck(session, step, mongoSession)) return { session, supplementary: true };
    throw sessionClosedError(status);
  }
  if (countAttemptsLeft(step, settings, platform.clock.now()) === 0) {
    throw conflictError('attempts_exhausted', `All ${settings.maxAttempts} attempts at ${step.feature} were used.`, {
      feature: step.feature,
    });
  }
  if (isCapture && isCaptured(session.steps, step.feature, settings, platform.clock.now())) {
    const message = `The step ${step.feature} was captured already, such as on another device, and waits for no capture.`;
    throw conflictError('step_captured', message, { feature: step.feature });
  }
  return { session, supplementary: false };
}

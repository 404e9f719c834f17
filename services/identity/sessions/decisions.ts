import { conflictError, invalidFieldError } from '../../../domain/errors';
import { listStepsNotRun } from '../../../domain/identity/sessions/decision';
import type { Feature } from '../../../domain/identity/sessions/features';
import {
  requireSessionTransition,
  isFinalStatus,
  isOverride,
  getStatusAfter,
} from '../../../domain/identity/sessions/session';
import type { ReviewDecision, SessionStatus } from '../../../domain/identity/sessions/session';
import { reopenSteps, listStepsToReopen } from '../../../domain/identity/sessions/steps';
import type { SessionDecision, SessionRecord, SessionReview } from '../../../models/identity/sessions/session';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requireVersion } from '../../platform/transactions/versions';
import { listCapturesWithoutImages } from '../biometrics/portraits';
import { getSession, getShownVersion } from './session-store';
import { transitionSession } from './session-transitions';
import { signalSessionWorkflow, startSessionWorkflow } from './temporal-workflow';

export interface DecisionInput {
  decision: ReviewDecision;
  reason?: string | undefined;
  comment?: string | undefined;
  /** The steps to repeat in a resubmission. @default every step */
  steps?: readonly Feature[] | undefined;
  /** Required to reverse a final decision. */
  override: boolean;
  /** Version of the session on which the decision is based, from If-Match. @default the present one */
  ifMatch?: number | undefined;
}

/** @throws AppError 400 naming the field that does not apply to the decision or the session */
function requireApplicable(session: SessionRecord, input: DecisionInput): void {
  const requestedSteps = input.steps ?? [];
  if (requestedSteps.length > 0 && input.decision !== 'resubmit') {
    throw invalidFieldError('steps', 'is accepted only with the decision resubmit');
  }
  const unknown = requestedSteps.findIndex((feature) => !session.features.includes(feature));
  if (unknown >= 0) {
    throw invalidFieldError(`steps[${unknown}]`, `accepts the steps of this session: ${session.features.join(', ')}`);
  }
  if (input.override && input.reason === undefined) {
    throw invalidFieldError('reason', 'is required with override');
  }
}

/** @throws AppError 409 `steps_not_run`: a step without a result cannot be approved */
function requireAllStepsRun(session: SessionRecord): void {
  const missing = listStepsNotRun(session.steps);
  if (missing.length === 0) return;
  throw conflictError('steps_not_run', `The session cannot be approved: ${missing.join(', ')} have no result.`, {
    steps: missing,
  });
}

/** The steps that a decision reopens. */
async function findStepsToReopen(
  unit: UnitOfWork,
  session: SessionRecord,
  input: DecisionInput,
  to: SessionStatus,
): Promise<Feature[]> {
  if (to !== 'resubmission_requested') return [];
  const withoutImages = await listCapturesWithoutImages(session, unit.mongoSession);
  return listStepsToReopen(session.features, input.steps, withoutImages);
}

/** The fields that a decision changes in addition to the status. */
function buildDecisionChanges(
  session: SessionRecord,
  input: DecisionInput,
  { to, reopened, by, at }: { to: SessionStatus; reopened: readonly Feature[]; by: string; at: Date },
) {
  const review: SessionReview = {
    decision: input.decision,
    from: session.status,
    to,
    reason: input.reason ?? null,
    comment: input.comment ?? null,
    steps: [...reopened],
    override: isOverride(session.status, to),
    by,
    at,
  };
  const decision: SessionDecision = {
    outcome: to,
    reasons: to === 'approved' ? [] : (session.decision?.reasons ?? []),
    decidedBy: 'reviewer',
    rule: null,
    at,
  };
  const steps = reopenSteps(session.steps, reopened);
  return {
    reviews: [...session.reviews, review],
    decision,
    steps,
    ...(reopened.includes('liveness') ? { drawnChallenges: 0 } : {}),
  };
}

/** Asserts that the decision may be made, then writes it with its effects. */
async function applyDecision(
  unit: UnitOfWork,
  session: SessionRecord,
  actor: string,
  input: DecisionInput,
): Promise<SessionRecord> {
  requireApplicable(session, input);
  const to = getStatusAfter(input.decision);
  requireSessionTransition(session.status, to, { override: input.override });
  if (to === 'approved') requireAllStepsRun(session);

  const isReopened = isFinalStatus(session.status) && !isFinalStatus(to);
  const reopened = await findStepsToReopen(unit, session, input, to);
  const decided = await transitionSession(unit, session, to, {
    ...buildDecisionChanges(session, input, { to, reopened, by: actor, at: unit.platform.clock.now() }),
    ...(isReopened ? { opening: session.opening + 1, followedBy: 'verification' } : {}),
  });
  await unit.audit(session, {
    actor,
    action: isOverride(session.status, to) ? 'session.overridden' : 'session.decided',
    subject: session._id,
    fields: ['status', 'decision', 'reviews'],
  });
  // The workflow of the previous opening ends at this signal; the next one continues from here.
  signalSessionWorkflow(unit, decided, 'reviewerDecided', session);
  if (isReopened) startSessionWorkflow(unit, decided);
  return decided;
}

/**
 * Records a reviewer's decision: the transition, its event, its audit row and the signal to its workflow, in one
 * transaction. The decision is final when this returns; the workflow follows.
 *
 * @throws AppError 409 `invalid_transition` naming the allowed transitions, 409 `steps_not_run`, 400 for fields that do not apply,
 * 412 `version_mismatch` if the session has changed since the version of If-Match
 */
export const decideSession = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  input: DecisionInput,
  use: IdempotentUse | undefined,
): Promise<SessionRecord> =>
  runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const session = await getSession(scope, sessionId, unit.mongoSession);
        requireVersion(getShownVersion(session), input.ifMatch);
        const decided = await applyDecision(unit, session, actor, input);
        await claim(unit, sessionId, 200);
        return decided;
      }),
    (id) => getSession(scope, id),
  );

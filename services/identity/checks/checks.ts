import type { ClientSession } from 'mongoose';
import { conflictError, notFoundError } from '../../../domain/errors';
import { CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckDetails, CheckKind } from '../../../domain/identity/checks/checks';
import { assertSessionTransition, isOpenStatus } from '../../../domain/identity/sessions/session';
import { countAttemptsLeft } from '../../../domain/identity/sessions/steps';
import type { Attempt, Step } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import { Check } from '../../../models/identity/checks/check';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import { saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getDocumentPortrait } from '../biometrics/portraits';
import { resolveSandboxValue } from './sandbox';
import { getOpenChallenge, consumeChallenge } from '../biometrics/liveness-challenges';
import { changeSession, getSession, moveSession, toScope } from '../sessions/session-store';
import { signalSessionWorkflow } from '../sessions/session-workflow';
import type { Upload } from './uploads';

export interface NewCheck {
  kind: CheckKind;
  /** the session whose step it is; without one it stands alone */
  sessionId?: string | undefined;
  /** the magic value sent with it; test keys only */
  sandbox?: string | undefined;
  uploads: readonly Upload[];
  /** of an active liveness check: the challenge it answers, which is used up by it */
  challengeId?: string | undefined;
  /** what the kind is told beside its pictures @default null */
  details?: CheckDetails[CheckKind];
}

/** The national number a check is to validate. */
const getClaimedNumber = ({ details }: NewCheck): string | undefined =>
  details !== undefined && details !== null && 'idNumber' in details ? details.idNumber : undefined;

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getCheck(scope: Scope, id: string): Promise<CheckRecord> {
  const found = await Check.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<CheckRecord>();
  if (found === null) throw notFoundError('check');
  return found;
}

/**
 * Waits for a check's end, at most `seconds` long.
 * @returns the check as it then is, still processing when the time was too short
 */
export async function awaitCheck(platform: Platform, scope: Scope, id: string, seconds: number): Promise<CheckRecord> {
  const done = await platform.changes.waitFor('checks', id, seconds * 1000, async () => {
    const check = await getCheck(scope, id);
    return check.status === 'processing' ? null : check;
  });
  return done ?? getCheck(scope, id);
}

/** How a check stands to its session: a step of it, or an answer beside a decision already made. */
type AttemptKind = 'step' | 'supplementary';

/**
 * A comparison that follows by itself may decide the session before the client's own comparison arrives. That one is
 * then answered and kept, once, without weight in the session.
 */
async function acceptsSupplementaryCheck(
  session: SessionRecord,
  step: Step,
  mongoSession?: ClientSession,
): Promise<boolean> {
  const decided = ['approved', 'declined', 'in_review'].includes(session.status);
  const comparedAutomatically = step.attempts.length > 0 && step.attempts.every(({ origin }) => origin === 'follow_on');
  if (step.feature !== 'face_match' || !decided || !comparedAutomatically) return false;
  const { _id: sessionId, organisationId, mode } = session;
  const existingSupplement = await Check.exists({
    organisationId,
    mode,
    sessionId,
    supplementary: true,
    deletedAt: null,
  }).session(mongoSession ?? null);
  return existingSupplement === null;
}

/** How a session takes a check of this kind now. @throws AppError 409 where it does not */
async function determineAttemptKind(
  platform: Platform,
  session: SessionRecord,
  kind: CheckKind,
  mongoSession?: ClientSession,
): Promise<AttemptKind> {
  const { feature } = CHECKS[kind];
  const { features, settings, status } = session;
  const step = session.steps.find((candidate) => candidate.feature === feature);
  if (step === undefined) {
    const verified = features.join(', ');
    throw conflictError('feature_not_requested', `The session verifies ${verified}, not ${feature ?? kind}.`, {
      features,
    });
  }
  if (!isOpenStatus(status)) {
    if (await acceptsSupplementaryCheck(session, step, mongoSession)) return 'supplementary';
    throw conflictError('session_closed', `The session is ${status} and takes no more checks.`, { status });
  }
  if (countAttemptsLeft(step, settings, platform.clock.now()) === 0) {
    throw conflictError('attempts_exhausted', `All ${settings.maxAttempts} attempts at ${step.feature} were used.`, {
      feature: step.feature,
    });
  }
  return 'step';
}

/** The pictures a client need not send, since the session has them. */
const resolveSessionInputs = async (session: SessionRecord | null, check: NewCheck): Promise<CheckInput[]> =>
  check.kind === 'face_match' && session !== null && !check.uploads.some(({ field }) => field === 'refImage')
    ? [await getDocumentPortrait(session)]
    : [];

/** Opens a session with its first check, or again with the first of a resubmission; counts the attempt. */
export async function addAttempt(
  platform: Platform,
  unit: UnitOfWork,
  session: SessionRecord,
  check: CheckRecord,
  pair?: string,
): Promise<SessionRecord> {
  const attempt: Attempt = {
    checkId: check._id,
    at: check.createdAt,
    origin: check.origin,
    outcome: 'processing',
    risks: [],
    ...(pair === undefined ? {} : { pair }),
    superseded: false,
  };
  const steps = session.steps.map((step) =>
    step.feature === check.feature ? { ...step, attempts: [...step.attempts, attempt] } : step,
  );
  if (session.status === 'in_progress') {
    return changeSession(unit, session, { steps, lastActivityAt: check.createdAt });
  }
  assertSessionTransition(session.status, 'in_progress');
  return moveSession(platform, unit, session, 'in_progress', { steps });
}

/** Writes a check and owes its workflow. */
export async function insertCheck(unit: UnitOfWork, check: CheckRecord): Promise<void> {
  await Check.create([check], { session: unit.mongoSession });
  await unit.start(check.organisationId, {
    workflow: 'check',
    workflowId: workflowIds.check(check._id),
    argument: { checkId: check._id, kind: check.kind, organisationId: check.organisationId },
    summary: check.sessionId === null ? check.kind : `${check.kind} of ${check.sessionId}`,
    searchAttributes: { status: check.status, features: check.feature === null ? [] : [check.feature] },
  });
}

type CheckDraft = Pick<CheckRecord, '_id' | 'kind' | 'sessionId' | 'origin' | 'inputs' | 'details' | 'createdBy'> &
  Partial<Pick<CheckRecord, 'supplementary' | 'sandbox'>>;

/** A check about to be run. */
export const draftCheck = (platform: Platform, scope: Scope, draft: CheckDraft): CheckRecord => ({
  ...toScope(scope),
  feature: CHECKS[draft.kind].feature,
  recordId: draft.sessionId ?? draft._id,
  supplementary: false,
  sandbox: null,
  status: 'processing',
  verdict: null,
  risks: [],
  result: null,
  failure: null,
  createdAt: platform.clock.now(),
  completedAt: null,
  deletedAt: null,
  ...draft,
});

/** Lets a session know of its check, as the standing of the check asks. */
async function applyCheckToSession(
  platform: Platform,
  unit: UnitOfWork,
  session: SessionRecord,
  check: CheckRecord,
): Promise<void> {
  if (check.supplementary) {
    // Two that come at once meet here: the session is written, so that only one of them finds it without.
    await changeSession(unit, session, {});
    return;
  }
  const opened = await addAttempt(platform, unit, session, check);
  await signalSessionWorkflow(unit, opened, 'opened');
}

async function recordCheck(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewCheck,
  claim: (unit: UnitOfWork, recordId: string, status: number) => Promise<void>,
): Promise<CheckRecord> {
  const checkId = newId('chk');
  const sessionId = input.sessionId ?? null;
  const session = sessionId === null ? null : await getSession(scope, sessionId);
  if (session !== null) await determineAttemptKind(platform, session, input.kind);
  const sandbox = resolveSandboxValue(scope, input.sandbox, session, getClaimedNumber(input));
  const challenge =
    input.challengeId === undefined ? null : await getOpenChallenge(platform, scope, input.challengeId, sessionId);
  const sessionInputs = await resolveSessionInputs(session, input);
  const evidence = await Promise.all(
    input.uploads.map(({ field, contentType, body }) =>
      uploadEvidence(platform, scope, { recordId: sessionId ?? checkId, checkId, field, contentType, body }),
    ),
  );
  const inputs = [...sessionInputs, ...evidence.map(({ _id, field }) => ({ field, evidenceId: _id }))];

  return runTransaction(platform, async (unit) => {
    const current = sessionId === null ? null : await getSession(scope, sessionId, unit.mongoSession);
    const attemptKind =
      current === null ? 'step' : await determineAttemptKind(platform, current, input.kind, unit.mongoSession);
    const check = draftCheck(platform, scope, {
      _id: checkId,
      kind: input.kind,
      sessionId,
      origin: 'client',
      inputs,
      details:
        challenge === null ? (input.details ?? null) : { challengeId: challenge._id, actions: challenge.actions },
      createdBy: actor,
      supplementary: attemptKind === 'supplementary',
      sandbox,
    });
    if (challenge !== null) await consumeChallenge(unit, challenge, checkId);
    await saveEvidence(unit, evidence);
    await insertCheck(unit, check);
    if (current !== null) await applyCheckToSession(platform, unit, current, check);
    await unit.audit(scope, {
      actor,
      action: 'check.created',
      subject: checkId,
      fields: inputs.map(({ field }) => field),
    });
    await claim(unit, checkId, 201);
    return check;
  });
}

/**
 * Takes a check: its pictures are encrypted and stored, then one transaction records it, opens the session it belongs
 * to and owes the workflow that runs it.
 *
 * @throws AppError 404 unknown session; 409 when the session does not take it now
 */
export const submitCheck = (
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewCheck,
  use: IdempotentUse | undefined,
): Promise<CheckRecord> =>
  runIdempotently(
    platform,
    use,
    (claim) => recordCheck(platform, scope, actor, input, claim),
    (id) => getCheck(scope, id),
  );

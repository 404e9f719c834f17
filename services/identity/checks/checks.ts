import type { ClientSession } from 'mongoose';
import { conflict, notFound } from '../../../domain/errors';
import { CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckDetails, CheckKind } from '../../../domain/identity/checks/checks';
import { assertMove, isOpen } from '../../../domain/identity/sessions/session';
import { attemptsLeft } from '../../../domain/identity/sessions/steps';
import type { Attempt, Step } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import { Check } from '../../../models/identity/checks/check';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import { saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { documentPortrait } from '../biometrics/portraits';
import { sandboxOf } from './sandbox';
import { openChallenge, useChallenge } from '../biometrics/liveness-challenges';
import { changeSession, getSession, moveSession, scopeOf } from '../sessions/session-store';
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
const claimedNumber = ({ details }: NewCheck): string | undefined =>
  details !== undefined && details !== null && 'idNumber' in details ? details.idNumber : undefined;

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getCheck(scope: Scope, id: string): Promise<CheckRecord> {
  const found = await Check.findOne({ _id: id, ...scopeOf(scope), deletedAt: null }).lean<CheckRecord>();
  if (found === null) throw notFound('check');
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
type Standing = 'step' | 'supplementary';

/**
 * A comparison that follows by itself may decide the session before the client's own comparison arrives. That one is
 * then answered and kept, once, without weight in the session.
 */
async function takesSupplement(session: SessionRecord, step: Step, transaction?: ClientSession): Promise<boolean> {
  const decided = ['approved', 'declined', 'in_review'].includes(session.status);
  const comparedByItself = step.attempts.length > 0 && step.attempts.every(({ origin }) => origin === 'follow_on');
  if (step.feature !== 'face_match' || !decided || !comparedByItself) return false;
  const { _id: sessionId, organisationId, mode } = session;
  const given = await Check.exists({ organisationId, mode, sessionId, supplementary: true, deletedAt: null }).session(
    transaction ?? null,
  );
  return given === null;
}

/** How a session takes a check of this kind now. @throws AppError 409 where it does not */
async function standingIn(
  platform: Platform,
  session: SessionRecord,
  kind: CheckKind,
  transaction?: ClientSession,
): Promise<Standing> {
  const { feature } = CHECKS[kind];
  const { features, settings, status } = session;
  const step = session.steps.find((candidate) => candidate.feature === feature);
  if (step === undefined) {
    const verified = features.join(', ');
    throw conflict('feature_not_requested', `The session verifies ${verified}, not ${feature ?? kind}.`, { features });
  }
  if (!isOpen(status)) {
    if (await takesSupplement(session, step, transaction)) return 'supplementary';
    throw conflict('session_closed', `The session is ${status} and takes no more checks.`, { status });
  }
  if (attemptsLeft(step, settings, platform.clock.now()) === 0) {
    throw conflict('attempts_exhausted', `All ${settings.maxAttempts} attempts at ${step.feature} were used.`, {
      feature: step.feature,
    });
  }
  return 'step';
}

/** The pictures a client need not send, since the session has them. */
const inputsFromSession = async (session: SessionRecord | null, check: NewCheck): Promise<CheckInput[]> =>
  check.kind === 'face_match' && session !== null && !check.uploads.some(({ field }) => field === 'refImage')
    ? [await documentPortrait(session)]
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
  assertMove(session.status, 'in_progress');
  return moveSession(platform, unit, session, 'in_progress', { steps });
}

/** Writes a check and owes its workflow. */
export async function insertCheck(unit: UnitOfWork, check: CheckRecord): Promise<void> {
  await Check.create([check], { session: unit.session });
  await unit.start(check.organisationId, {
    workflow: 'check',
    workflowId: workflowIds.check(check._id),
    argument: { checkId: check._id, kind: check.kind, organisationId: check.organisationId },
    summary: check.sessionId === null ? check.kind : `${check.kind} of ${check.sessionId}`,
    searchAttributes: { status: check.status, features: check.feature === null ? [] : [check.feature] },
  });
}

type Draft = Pick<CheckRecord, '_id' | 'kind' | 'sessionId' | 'origin' | 'inputs' | 'details' | 'createdBy'> &
  Partial<Pick<CheckRecord, 'supplementary' | 'sandbox'>>;

/** A check about to be run. */
export const draftCheck = (platform: Platform, scope: Scope, draft: Draft): CheckRecord => ({
  ...scopeOf(scope),
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
async function settleIn(
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
  if (session !== null) await standingIn(platform, session, input.kind);
  const sandbox = sandboxOf(scope, input.sandbox, session, claimedNumber(input));
  const challenge =
    input.challengeId === undefined ? null : await openChallenge(platform, scope, input.challengeId, sessionId);
  const given = await inputsFromSession(session, input);
  const evidence = await Promise.all(
    input.uploads.map(({ field, contentType, body }) =>
      uploadEvidence(platform, scope, { recordId: sessionId ?? checkId, checkId, field, contentType, body }),
    ),
  );
  const inputs = [...given, ...evidence.map(({ _id, field }) => ({ field, evidenceId: _id }))];

  return transact(platform, async (unit) => {
    const current = sessionId === null ? null : await getSession(scope, sessionId, unit.session);
    const standing = current === null ? 'step' : await standingIn(platform, current, input.kind, unit.session);
    const check = draftCheck(platform, scope, {
      _id: checkId,
      kind: input.kind,
      sessionId,
      origin: 'client',
      inputs,
      details:
        challenge === null ? (input.details ?? null) : { challengeId: challenge._id, actions: challenge.actions },
      createdBy: actor,
      supplementary: standing === 'supplementary',
      sandbox,
    });
    if (challenge !== null) await useChallenge(unit, challenge, checkId);
    await saveEvidence(unit, evidence);
    await insertCheck(unit, check);
    if (current !== null) await settleIn(platform, unit, current, check);
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
  idempotently(
    platform,
    use,
    (claim) => recordCheck(platform, scope, actor, input, claim),
    (id) => getCheck(scope, id),
  );

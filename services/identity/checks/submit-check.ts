import type { CheckDetails, CheckKind } from '../../../domain/identity/checks/checks';
import { newId } from '../../../lib/ids';
import { KeyedLocks } from '../../../lib/keyed-locks';
import type { LivenessChallengeRecord } from '../../../models/identity/biometrics/liveness-challenge';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { SUBMISSION_SIGNALS } from '../../../workflows/contracts';
import { ensureDataKey, readTogether } from '../../platform/evidence/data-keys';
import type { OpenedKey } from '../../platform/evidence/data-keys';
import { saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { consumeChallenge, getOpenChallenge } from '../biometrics/liveness-challenges';
import { getDocumentPortrait } from '../biometrics/portraits';
import { FRONT_FIELD, getKeptFrontInput, takeKeptFront } from '../sessions/kept-front';
import { changeSession, sessionChangedError } from '../sessions/session-store';
import { runsItsChecks, signalSessionWorkflow } from '../sessions/temporal-workflow';
import { addAttempt } from './add-attempt';
import { draftCheck, getCheck, insertCheck } from './check-store';
import { resolveSandboxValue } from './sandbox-values';
import { admitCheck } from './session-admission';
import type { Admission } from './session-admission';
import { rejectPdfs } from './uploads';
import type { Upload } from './uploads';

export interface NewCheck {
  kind: CheckKind;
  /** The session whose step the check is; without one the check is standalone. */
  sessionId?: string | undefined;
  /** Whether the person sends it on the capture page. @default false */
  isCapture?: boolean | undefined;
  /** The sandbox value sent with it; test keys only. */
  sandbox?: string | undefined;
  uploads: readonly Upload[];
  /** The challenge that an active liveness check answers; it can be used once. */
  challengeId?: string | undefined;
  /** Parameters of the kind, in addition to its images. @default null */
  details?: CheckDetails[CheckKind];
}

/** A check that passed validation, with what its record needs. */
interface ValidatedCheck {
  sandbox: string | null;
  challenge: LivenessChallengeRecord | null;
  /** Images that the session already has. */
  sessionInputs: CheckInput[];
}

/** The national number that a check validates, if any: some numbers are sandbox values. */
const getClaimedNumber = ({ details }: NewCheck): string | undefined =>
  details !== undefined && details !== null && 'idNumber' in details ? details.idNumber : undefined;

/** Images that the client may leave out because the session has them. @throws AppError 400 without the front */
async function resolveSessionInputs(session: SessionRecord | null, input: NewCheck): Promise<CheckInput[]> {
  const isSent = (name: string): boolean => input.uploads.some(({ field }) => field === name);
  if (session === null) return [];
  if (input.kind === 'face_match' && !isSent('refImage')) return [await getDocumentPortrait(session)];
  if (input.kind === 'id_verification' && !isSent(FRONT_FIELD)) return [getKeptFrontInput(session)];
  return [];
}

/** @throws AppError 404, 409, 410 or 415 where the session, the challenge or the sandbox value does not fit */
async function validateCheck(platform: Platform, scope: Scope, input: NewCheck): Promise<ValidatedCheck> {
  const { kind, sessionId, isCapture, challengeId } = input;
  const session =
    sessionId === undefined ? null : (await admitCheck(platform, scope, { sessionId, kind, isCapture })).session;
  if (kind === 'id_verification' && session?.settings.acceptPdfDocuments === false) rejectPdfs(input.uploads);
  return {
    sandbox: resolveSandboxValue(scope, input.sandbox, session, getClaimedNumber(input)),
    challenge:
      challengeId === undefined ? null : await getOpenChallenge(platform, scope, challengeId, sessionId ?? null),
    sessionInputs: await resolveSessionInputs(session, input),
  };
}

/** @throws AppError 409 `session_changed` if the document whose portrait is compared was replaced meanwhile */
async function requireSamePortrait(
  session: SessionRecord,
  input: NewCheck,
  used: readonly CheckInput[],
): Promise<void> {
  if (input.kind !== 'face_match' || used.length === 0) return;
  const current = await resolveSessionInputs(session, input);
  if (current.some(({ evidenceId }, index) => evidenceId !== used[index]?.evidenceId)) throw sessionChangedError();
}

/** A check that passed validation, and the data key that encrypts its images; null if it has none. */
type PreparedCheck = ValidatedCheck & { dataKey: OpenedKey | null };

/** Validates a check and opens the data key of its record, which is read once for both. */
const prepareCheck = (platform: Platform, scope: Scope, recordId: string, input: NewCheck): Promise<PreparedCheck> =>
  readTogether(async () => {
    const validated = await validateCheck(platform, scope, input);
    const dataKey = input.uploads.length === 0 ? null : await ensureDataKey(platform, scope, recordId);
    return { ...validated, dataKey };
  });

/** Encrypts and uploads the images; {@link saveEvidence} records them in the transaction. */
const storeEvidence = (
  platform: Platform,
  scope: Scope,
  owner: { recordId: string; checkId: string },
  { uploads }: NewCheck,
  dataKey: OpenedKey | null,
): Promise<EvidenceRecord[]> =>
  Promise.all(
    uploads.map(({ field, contentType, body }) =>
      uploadEvidence(platform, scope, { ...owner, field, contentType, body }, dataKey),
    ),
  );

class SubmissionLocks extends KeyedLocks {}

/** Much longer than a submission takes to be recorded. */
const MAX_LOCK_WAIT_MS = 1000;

/**
 * Records submissions to one session one after another within this process: each of them writes the session and its data
 * key, so at the same time their transactions would abort and repeat each other.
 */
const withSubmissionLock = <T>(
  platform: Platform,
  recordId: string,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> =>
  platform.singletons.get(SubmissionLocks).run(recordId, () => runTransaction(platform, work), MAX_LOCK_WAIT_MS);

/** Whether the workflow of the session runs a new check: a supplementary one comes after the workflow has ended. */
const runsInSession = (admission: Admission | null): boolean =>
  admission !== null && !admission.supplementary && runsItsChecks(admission.session);

/**
 * Updates the session of a new check: a supplementary one leaves its steps as they are.
 * @param sessionInputs images of the check that the session already had
 */
async function applyToSession(
  unit: UnitOfWork,
  { session, supplementary }: Admission,
  check: CheckRecord,
  sessionInputs: readonly CheckInput[],
): Promise<void> {
  if (supplementary) {
    // The write makes two concurrent supplementary checks conflict, so that only one of them is accepted.
    await changeSession(unit, session, {});
    return;
  }
  const keptFront = sessionInputs.find(({ field }) => field === FRONT_FIELD);
  const isDocument = check.kind === 'id_verification';
  const current = isDocument ? await takeKeptFront(unit, session, check._id, keptFront) : session;
  const opened = await addAttempt(unit, current, check);
  signalSessionWorkflow(unit, opened, SUBMISSION_SIGNALS[check.kind]);
}

/**
 * Submits a check: validates it, stores its evidence, then records everything in one transaction that also starts the
 * workflow which runs the check.
 *
 * @throws AppError 400 without a front image; 404 unknown session; 409 if the session does not accept the check now
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
    async (claim) => {
      const { kind, sessionId, isCapture } = input;
      const checkId = newId('chk');
      const recordId = sessionId ?? checkId;
      const { sandbox, challenge, sessionInputs, dataKey } = await prepareCheck(platform, scope, recordId, input);
      const evidence = await storeEvidence(platform, scope, { recordId, checkId }, input, dataKey);
      const inputs = [...sessionInputs, ...evidence.map(({ _id, field }) => ({ field, evidenceId: _id }))];

      return withSubmissionLock(platform, recordId, async (unit) => {
        const admission =
          sessionId === undefined
            ? null
            : await admitCheck(platform, scope, { sessionId, kind, isCapture }, unit.mongoSession);
        if (admission !== null) await requireSamePortrait(admission.session, input, sessionInputs);
        const check = draftCheck(platform, scope, {
          _id: checkId,
          kind,
          sessionId: sessionId ?? null,
          origin: 'client',
          inputs,
          details:
            challenge === null ? (input.details ?? null) : { challengeId: challenge._id, actions: challenge.actions },
          createdBy: actor,
          supplementary: admission?.supplementary ?? false,
          sandbox,
        });
        if (challenge !== null) await consumeChallenge(unit, challenge, checkId);
        await saveEvidence(unit, evidence);
        await insertCheck(unit, check, { runsInSession: runsInSession(admission) });
        if (admission !== null) await applyToSession(unit, admission, check, sessionInputs);
        await unit.audit(scope, {
          actor,
          action: 'check.created',
          subject: checkId,
          fields: inputs.map(({ field }) => field),
        });
        await claim(unit, checkId, 201);
        return check;
      });
    },
    (id) => getCheck(scope, id),
  );

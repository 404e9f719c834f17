import type { ClientSession } from 'mongoose';
import { notFoundError, toFailureCode } from '../../../domain/errors';
import type { CheckKind, CheckResults, Finding } from '../../../domain/identity/checks/checks';
import { evaluateCheck, reevaluateCheck } from '../../../domain/identity/checks/evaluation';
import type { CheckEvaluation } from '../../../domain/identity/checks/evaluation';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import { buildRisk } from '../../../domain/identity/checks/risks';
import type { Risk, RiskCode, Verdict } from '../../../domain/identity/checks/risks';
import { ERASED_PROGRESS, summariseProgress } from '../../../domain/identity/sessions/progress';
import type { SessionProgress } from '../../../domain/identity/sessions/progress';
import { isFinalStatus, acceptsChecks } from '../../../domain/identity/sessions/session';
import { DEFAULT_SETTINGS } from '../../../domain/identity/sessions/settings';
import { listDecisiveAttempts, recordOutcome } from '../../../domain/identity/sessions/steps';
import type { AttemptOutcome } from '../../../domain/identity/sessions/steps';
import type { MeasuredCheck } from '../../../domain/identity/sessions/thresholds';
import type { StoredFile } from '../../../lib/files/stored-file';
import { Metrics } from '../../../lib/metrics/metrics';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckOfKind, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { findStoredFiles } from '../../platform/evidence/evidence';
import { emitEvent } from '../../platform/webhooks/events';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { applySessionReviews, recordSessionHits } from '../aml/session-hits';
import { findContextualAddressProofRisks, findContextualDocumentRisks } from './contextual-risks';
import type { CheckContext } from './contextual-risks';
import { applyPresentDocument } from './present-document';
import { changeSession, findSessionOfCheck } from '../sessions/session-store';
import { advance } from '../sessions/session-flow';
import { recordDayChanges } from '../statistics/day-changes';
import {
  runsItsChecks,
  signalCheckEnded,
  signalSessionWorkflow,
  summariseSession,
} from '../sessions/temporal-workflow';

/** How a check ended, in codes only: a workflow history holds no personal data. */
export interface CheckSummary {
  /** `erased` once the check is deleted. */
  status: CheckRecord['status'] | 'erased';
  verdict: Verdict | null;
  risks: RiskCode[];
  /** The progress of its session since then; null if no session follows the check. */
  progress: SessionProgress | null;
}

export const ERASED_CHECK: CheckSummary = { status: 'erased', verdict: null, risks: [], progress: ERASED_PROGRESS };

const summariseCheck = (
  { status, verdict, risks }: Pick<CheckRecord, 'status' | 'verdict' | 'risks'>,
  progress: SessionProgress | null,
): CheckSummary => ({ status, verdict, risks: risks.map(({ code }) => code), progress });

/**
 * The summary of a check that ended before, such as in an attempt whose report was lost. Another change may have brought
 * the session to its present version: its signal, which says what is due, arrives later and is taken for a repetition.
 * So the summary has the workflow advance an open session, which changes nothing if nothing is due.
 */
export async function summariseEndedCheck(
  platform: Platform,
  check: CheckRecord,
  mongoSession: ClientSession | null = null,
): Promise<CheckSummary> {
  const session = check.supplementary ? null : await findSessionOfCheck(check, { mongoSession });
  if (session === null) return summariseCheck(check, null);
  const due = acceptsChecks(session.status);
  return summariseCheck(check, summariseProgress(session, platform.clock.now(), { due }));
}

/** The decrypted images of a check, by the field in which they were sent. @throws AppError 404, 410 */
export async function readCheckInputs(
  platform: Platform,
  check: CheckRecord,
): Promise<ReadonlyMap<string, StoredFile>> {
  if (check.inputs.length === 0) return new Map();
  const ids = check.inputs.map(({ evidenceId }) => evidenceId);
  const files = await findStoredFiles(platform, toScope(check), ids);
  return new Map(
    check.inputs.map(({ field, evidenceId }) => {
      const file = files.get(evidenceId);
      if (file === undefined) throw notFoundError('evidence');
      return [field, file];
    }),
  );
}

/** A check that ends, and its session, as read in the transaction that ends it; null for a standalone check. */
interface EndingCheck {
  check: CheckRecord;
  session: SessionRecord | null;
}

interface Completion {
  fields: Pick<CheckRecord, 'status' | 'verdict' | 'risks' | 'result' | 'failure'>;
  outcome: AttemptOutcome;
}

/**
 * The country of a session: the issuing state of its last document, else the expected country. Of several documents
 * that are processed at the same time, an earlier one may be the last to end.
 */
function getCountryFields(
  session: SessionRecord,
  check: CheckRecord,
  result: CheckRecord['result'],
): Pick<SessionRecord, 'country'> | Record<string, never> {
  const read: CheckRecord = { ...check, result };
  if (!isCheckOfKind(read, 'id_verification') || read.result === null) return {};
  const isLast = session.steps.flatMap(listDecisiveAttempts).some(({ checkId }) => checkId === check._id);
  return isLast ? { country: read.result.issuingState ?? session.expected?.country ?? null } : {};
}

/** The faces that a search found. */
function listFoundFaces(check: CheckRecord, result: CheckRecord['result']): string[] {
  const read: CheckRecord = { ...check, result };
  return isCheckOfKind(read, 'face_search') ? (read.result?.matches ?? []).map(({ id }) => id) : [];
}

/**
 * Records in the session's step how one of its checks ended, whatever the status of the session is by now.
 * @returns the session since then; null if the check is not part of one
 */
async function recordAttemptOutcome(
  unit: UnitOfWork,
  { check, session }: EndingCheck,
  { fields, outcome }: Completion,
): Promise<SessionRecord | null> {
  if (session === null || check.supplementary) return null;
  const steps = recordOutcome(session.steps, check._id, { outcome, risks: fields.risks });
  const recorded = await changeSession(unit, session, { steps, ...getCountryFields(session, check, fields.result) });
  return check.kind === 'id_verification' ? applyPresentDocument(unit, recorded, check) : recorded;
}

/** Advances the session of a check that ended: in the same transaction if its workflow runs the check, else by a signal. */
async function continueSession(unit: UnitOfWork, session: SessionRecord | null): Promise<SessionProgress | null> {
  if (session === null) return null;
  if (runsItsChecks(session)) return summariseSession(unit, await advance(unit, session));
  signalCheckEnded(unit, session);
  return null;
}

/** Counts an ended check and the time since its submission. */
function countCheck(platform: Platform, check: CheckRecord, { fields }: Completion, completedAt: Date): void {
  const { checks, checkDuration } = platform.singletons.get(Metrics).instruments;
  checks.inc({ kind: check.kind, outcome: fields.verdict ?? fields.status });
  checkDuration.observe({ kind: check.kind }, (completedAt.getTime() - check.createdAt.getTime()) / 1000);
}

/** Computes how a check ends, in the transaction that ends it, so that its own writes take effect once. */
type BuildCompletion = (unit: UnitOfWork, ending: EndingCheck) => Promise<Completion>;

/**
 * Ends a check: writes its result, the step of its session and the event, and advances the session, in one transaction.
 * A second call changes nothing.
 */
const endCheck = (platform: Platform, checkId: string, buildCompletion: BuildCompletion): Promise<CheckSummary> =>
  runTransaction(platform, async (unit) => {
    const completedAt = platform.clock.now();
    const before = await Check.findOne({ _id: checkId, deletedAt: null })
      .session(unit.mongoSession)
      .lean<CheckRecord>();
    if (before === null) return ERASED_CHECK;
    if (before.status !== 'processing') return summariseEndedCheck(platform, before, unit.mongoSession);
    const session = await findSessionOfCheck(before, { mongoSession: unit.mongoSession });
    const ending = { check: before, session };
    const completion = await buildCompletion(unit, ending);
    await Check.updateOne(
      { _id: checkId, ...toScope(before), recordId: before.recordId, status: 'processing', deletedAt: null },
      { $set: { ...completion.fields, foundFaces: listFoundFaces(before, completion.fields.result), completedAt } },
      { session: unit.mongoSession },
    );
    await recordDayChanges(unit, 'checks', before, [before]);
    const recorded = await recordAttemptOutcome(unit, ending, completion);
    await emitEvent(unit, toScope(before), {
      type: 'check.completed',
      key: `check.completed:${checkId}`,
      subjectId: before.sessionId ?? checkId,
      data: {
        checkId,
        kind: before.kind,
        sessionId: before.sessionId,
        externalId: session?.externalId ?? null,
        status: completion.fields.status,
        outcome: completion.fields.verdict,
      },
      at: completedAt,
    });
    unit.afterCommit(() => countCheck(platform, before, completion, completedAt));
    return summariseCheck(completion.fields, await continueSession(unit, recorded));
  });

const toCompletion = ({ finding, risks, verdict }: CheckEvaluation): Completion => ({
  fields: { status: 'completed', verdict, risks, result: finding, failure: null },
  outcome: verdict,
});

/** Risks found by comparing an engine's result with the session and with records of the organisation. */
type ContextualRiskFinders = { [K in CheckKind]?: (result: CheckResults[K], context: CheckContext) => Promise<Risk[]> };

const CONTEXTUAL_RISK_FINDERS: ContextualRiskFinders = {
  id_verification: findContextualDocumentRisks,
  proof_of_address: findContextualAddressProofRisks,
  aml_screening: recordSessionHits,
};

/** What else applies to an engine's result when it is recorded. */
type ResultUpdates = {
  [K in CheckKind]?: (result: CheckResults[K], context: CheckContext) => Promise<CheckResults[K]>;
};

const RESULT_UPDATES: ResultUpdates = { aml_screening: applySessionReviews };

/** The expected details of the person, from the session of a check; null for a standalone check. */
export const findExpectedDetails = async (check: CheckRecord): Promise<ExpectedDetails | null> =>
  (await findSessionOfCheck(check))?.expected ?? null;

/** What is stored of a check besides its result, in the transaction that records it. */
export type ResultWrite = (context: CheckContext) => Promise<void>;

/** Completes a check with the result of its engine, evaluated by the settings of its session. */
export const completeCheck = <K extends CheckKind>(
  platform: Platform,
  kind: K,
  { _id }: CheckRecord,
  result: CheckResults[K],
  writes: readonly ResultWrite[] = [],
): Promise<CheckSummary> =>
  endCheck(platform, _id, async (unit, { check, session }) => {
    const context: CheckContext = { unit, check, session };
    for (const write of writes) await write(context);
    const current = (await RESULT_UPDATES[kind]?.(result, context)) ?? result;
    const contextualRisks = (await CONTEXTUAL_RISK_FINDERS[kind]?.(current, context)) ?? [];
    return toCompletion(evaluateCheck(kind, current, contextualRisks, session?.settings ?? DEFAULT_SETTINGS));
  });

/**
 * Evaluates a completed check again after a reviewer corrected its finding, and signals its session. Once the session
 * has a final decision, the check keeps its verdict and only its finding changes. Either raises the version of the
 * session: a reviewer's decision that is based on the former finding is refused.
 */
export async function amendCheck<K extends CheckKind>(
  unit: UnitOfWork,
  kind: K,
  check: CheckOfKind<K>,
  measured: MeasuredCheck<K>,
): Promise<Finding<K>> {
  const session = await findSessionOfCheck(check, { mongoSession: unit.mongoSession });
  const completion = toCompletion(reevaluateCheck(kind, measured, session?.settings ?? DEFAULT_SETTINGS));
  const isDecided = session !== null && isFinalStatus(session.status);
  await Check.updateOne(
    { _id: check._id, ...toScope(check), recordId: check.recordId, status: 'completed', deletedAt: null },
    { $set: isDecided ? { result: measured.finding } : completion.fields },
    { session: unit.mongoSession },
  );
  if (isDecided) {
    await changeSession(unit, session, {});
    return measured.finding;
  }
  const changed = await recordAttemptOutcome(unit, { check, session }, completion);
  if (changed !== null) signalSessionWorkflow(unit, changed, 'hitsReviewed');
  return measured.finding;
}

/** Ends a check that could not be run. It counts as an attempt of its step, without a result. */
export function failCheck(platform: Platform, checkId: string, reason: string): Promise<CheckSummary> {
  const failure = toFailureCode(reason);
  return endCheck(platform, checkId, (_unit, { check, session }) => {
    const settings = session?.settings ?? DEFAULT_SETTINGS;
    const feature = check.feature === null ? {} : { feature: check.feature };
    const context = { ...feature, details: { reason: failure } };
    const risk = buildRisk('processing_failed', context, settings.actions);
    const completion: Completion = {
      fields: { status: 'failed', verdict: null, risks: [risk], result: null, failure },
      outcome: 'failed',
    };
    return Promise.resolve(completion);
  });
}

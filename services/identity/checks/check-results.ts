import { judge, judgeAgain } from '../../../domain/identity/checks/checks';
import type { CheckKind, CheckResults, Finding, Judgement } from '../../../domain/identity/checks/checks';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import { makeRisk } from '../../../domain/identity/checks/risks';
import type { Risk, RiskCode, Verdict } from '../../../domain/identity/checks/risks';
import { isFinal } from '../../../domain/identity/sessions/session';
import { DEFAULT_SETTINGS } from '../../../domain/identity/sessions/settings';
import type { AttemptOutcome } from '../../../domain/identity/sessions/steps';
import type { Measured } from '../../../domain/identity/sessions/thresholds';
import { Check, isCheckOf } from '../../../models/identity/checks/check';
import type { CheckOf, CheckRecord } from '../../../models/identity/checks/check';
import { readEvidence } from '../../platform/evidence/evidence';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { recordSessionHits } from '../aml/session-hits';
import { addressProofRisksBeside, documentRisksBeside, sessionOf } from './contextual-risks';
import type { Beside } from './contextual-risks';
import { changeSession, scopeOf, sessionOfWorkflow } from '../sessions/session-store';
import { signalSessionWorkflow } from '../sessions/session-workflow';

/** How a check ended, in codes: what a workflow and its history may know. */
export interface CheckSummary {
  /** `erased` once the check is deleted */
  status: CheckRecord['status'] | 'erased';
  verdict: Verdict | null;
  risks: RiskCode[];
}

const ERASED: CheckSummary = { status: 'erased', verdict: null, risks: [] };

export const summaryOf = ({
  status,
  verdict,
  risks,
}: Pick<CheckRecord, 'status' | 'verdict' | 'risks'>): CheckSummary => ({
  status,
  verdict,
  risks: risks.map(({ code }) => code),
});

/** The check a workflow runs, in whatever scope it lies; null once it is deleted. Never call it for a request. */
export const checkOfWorkflow = (id: string): Promise<CheckRecord | null> =>
  Check.findOne({ _id: id, deletedAt: null }).lean<CheckRecord>();

/** The decrypted pictures of a check, by the field they came in. */
export async function readInputs(platform: Platform, check: CheckRecord): Promise<ReadonlyMap<string, Buffer>> {
  const pictures = await Promise.all(
    check.inputs.map(async ({ field, evidenceId }) => {
      const { body } = await readEvidence(platform, scopeOf(check), evidenceId);
      return [field, body] as const;
    }),
  );
  return new Map(pictures);
}

interface Ending {
  fields: Pick<CheckRecord, 'status' | 'verdict' | 'risks' | 'result' | 'failure'>;
  outcome: AttemptOutcome;
}

/** The state of a document that was read becomes the session's. */
function readCountry(check: CheckRecord, result: CheckRecord['result']): { country?: string } {
  const read: CheckRecord = { ...check, result };
  const country = isCheckOf(read, 'id_verification') ? read.result?.issuingState : null;
  return country === null || country === undefined ? {} : { country };
}

/** Tells a session's step how one of its checks ended; a session that has moved on keeps the answer all the same. */
async function settleAttempt(unit: UnitOfWork, check: CheckRecord, { fields, outcome }: Ending): Promise<void> {
  if (check.sessionId === null || check.supplementary) return;
  const session = await sessionOfWorkflow(check.sessionId, unit.session);
  if (session === null) return;
  const risks = fields.risks.map(({ code, action }) => ({ code, action }));
  const steps = session.steps.map((step) => ({
    ...step,
    attempts: step.attempts.map((attempt) =>
      attempt.checkId === check._id ? { ...attempt, outcome, risks } : attempt,
    ),
  }));
  const changed = await changeSession(unit, session, { steps, ...readCountry(check, fields.result) });
  await signalSessionWorkflow(unit, changed, 'check_completed');
}

/** Says how a check ends, within the transaction that ends it: what it compares or records counts once. */
type EndingOf = (unit: UnitOfWork, check: CheckRecord) => Promise<Ending>;

/**
 * Ends a check once: its result, the step of its session, the event and the look its session's workflow owes, in one
 * transaction. A second call finds it ended and changes nothing.
 */
const endCheck = (platform: Platform, checkId: string, endingOf: EndingOf): Promise<CheckSummary> =>
  transact(platform, async (unit) => {
    const completedAt = platform.clock.now();
    const before = await Check.findOne({ _id: checkId, deletedAt: null }).session(unit.session).lean<CheckRecord>();
    if (before === null) return ERASED;
    if (before.status !== 'processing') return summaryOf(before);
    const ending = await endingOf(unit, before);
    await Check.updateOne(
      { _id: checkId, status: 'processing', deletedAt: null },
      { $set: { ...ending.fields, completedAt } },
      { session: unit.session },
    );
    await settleAttempt(unit, before, ending);
    await emitEvent(unit, scopeOf(before), {
      type: 'check.completed',
      key: `check.completed:${checkId}`,
      subjectId: before.sessionId ?? checkId,
      data: {
        checkId,
        kind: before.kind,
        sessionId: before.sessionId,
        status: ending.fields.status,
        outcome: ending.fields.verdict,
      },
      at: completedAt,
    });
    return summaryOf(ending.fields);
  });

const endingOf = ({ finding, risks, verdict }: Judgement): Ending => ({
  fields: { status: 'completed', verdict, risks, result: finding, failure: null },
  outcome: verdict,
});

/** Risks found beside an engine's result, by comparing it with what the session or the organisation knows. */
type RisksBeside = { [K in CheckKind]?: (result: CheckResults[K], beside: Beside) => Promise<Risk[]> };

const RISKS_BESIDE: RisksBeside = {
  id_verification: documentRisksBeside,
  proof_of_address: addressProofRisksBeside,
  aml_screening: recordSessionHits,
};

/** What the session of a check knows of the person; null for one that stands alone. */
export const expectedOf = async (check: CheckRecord): Promise<ExpectedDetails | null> =>
  (await sessionOf(check, null))?.expected ?? null;

/** Records what the engine of a kind of check found out, judged by the settings of its session. */
export const completeCheck = <K extends CheckKind>(
  platform: Platform,
  kind: K,
  { _id }: CheckRecord,
  result: CheckResults[K],
): Promise<CheckSummary> =>
  endCheck(platform, _id, async (unit, check) => {
    const session = await sessionOf(check, unit.session);
    const beside = (await RISKS_BESIDE[kind]?.(result, { platform, unit, check, session })) ?? [];
    return endingOf(judge(kind, result, beside, session?.settings ?? DEFAULT_SETTINGS));
  });

/**
 * Judges an ended check by what a reviewer has said of it since, and has its session look again. What a final decision
 * stood on keeps its verdict, and shows the reviewer's word.
 */
export async function amendCheck<K extends CheckKind>(
  unit: UnitOfWork,
  kind: K,
  check: CheckOf<K>,
  measured: Measured<K>,
): Promise<Finding<K>> {
  const session = await sessionOf(check, unit.session);
  const ending = endingOf(judgeAgain(kind, measured, session?.settings ?? DEFAULT_SETTINGS));
  const isDecided = session !== null && isFinal(session.status);
  await Check.updateOne(
    { _id: check._id, status: 'completed', deletedAt: null },
    { $set: isDecided ? { result: measured.finding } : ending.fields },
    { session: unit.session },
  );
  if (!isDecided) await settleAttempt(unit, check, ending);
  return measured.finding;
}

/** Failures that came without a code of ours, such as an error of the runtime. */
const codeOf = (reason: string): string => (/^[a-z][a-z_]*$/.test(reason) ? reason : 'internal_error');

/** Gives a check up. Nothing was found out, so that its step counts an attempt and no result. */
export async function failCheck(platform: Platform, checkId: string, reason: string): Promise<void> {
  const failure = codeOf(reason);
  await endCheck(platform, checkId, async (unit, check) => {
    const { settings } = (await sessionOf(check, unit.session)) ?? { settings: DEFAULT_SETTINGS };
    const feature = check.feature === null ? {} : { feature: check.feature };
    const context = { ...feature, details: { reason: failure } };
    const risk = makeRisk('processing_failed', context, settings.actions);
    return { fields: { status: 'failed', verdict: null, risks: [risk], result: null, failure }, outcome: 'failed' };
  });
}

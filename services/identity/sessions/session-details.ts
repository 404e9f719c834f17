import type { CheckKind, Finding } from '../../../domain/identity/checks/checks';
import type { Risk, Verdict } from '../../../domain/identity/checks/risks';
import { makeRisk } from '../../../domain/identity/checks/risks';
import { countAttemptsLeft, listDecisiveAttempts, computeStepStatus } from '../../../domain/identity/sessions/steps';
import type { StepStatus } from '../../../domain/identity/sessions/steps';
import type { Feature } from '../../../domain/identity/sessions/features';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { findEvidence } from '../../platform/evidence/evidence';
import type { Platform, Scope } from '../../platform/platform';
import { getSession, toScope } from './session-store';

export interface StepDetail {
  feature: Feature;
  status: StepStatus;
  attempts: number;
  attemptsLeft: number;
  checkIds: string[];
}

/** The result that stands for a feature, with the verdict it came to. */
export type EffectiveResult<K extends CheckKind> = Finding<K> & { checkId: string; status: Verdict; risks: Risk[] };

export interface SessionDetail {
  session: SessionRecord;
  steps: StepDetail[];
  /** the checks whose results stand, one a feature at most; {@link findEffectiveResult} reads them */
  effectiveChecks: CheckRecord[];
  risks: Risk[];
  evidence: EvidenceRecord[];
}

/** Every step with the attempts used and left. */
export const buildStepDetails = (platform: Platform, session: SessionRecord): StepDetail[] => {
  const now = platform.clock.now();
  return session.steps.map((step) => ({
    feature: step.feature,
    status: computeStepStatus(step, session.settings, now),
    attempts: step.attempts.filter(({ superseded }) => !superseded).length,
    attemptsLeft: countAttemptsLeft(step, session.settings, now),
    checkIds: step.attempts.map(({ checkId }) => checkId),
  }));
};

/** The checks whose results stand: the last of each step that came to one, the session's own comparison before a client's. */
export function selectEffectiveChecks(session: SessionRecord, checks: ReadonlyMap<string, CheckRecord>): CheckRecord[] {
  return session.steps.flatMap((step) => {
    const attempts = listDecisiveAttempts(step).toReversed();
    const found = attempts
      .map(({ checkId }) => checks.get(checkId))
      .find((check) => check !== undefined && check.result !== null);
    return found === undefined ? [] : [found];
  });
}

/** The result that stands for the feature of a kind of check, null while there is none. */
export function findEffectiveResult<K extends CheckKind>(
  { effectiveChecks: standing }: SessionDetail,
  kind: K,
): EffectiveResult<K> | null {
  for (const check of standing) {
    const { _id: checkId, verdict: status, risks } = check;
    if (!isCheckOfKind(check, kind) || check.result === null || status === null) continue;
    const finding: Finding<K> = check.result;
    return { ...finding, checkId, status, risks };
  }
  return null;
}

/** Risks of every check that counts, and that attempts ran out where a step has none left. */
function collectRisks(
  session: SessionRecord,
  checks: ReadonlyMap<string, CheckRecord>,
  steps: readonly StepDetail[],
): Risk[] {
  const decisive = session.steps.flatMap(listDecisiveAttempts);
  const found = decisive.flatMap(({ checkId }) => checks.get(checkId)?.risks ?? []);
  const exhausted = steps.filter(({ status }) => status === 'exhausted');
  return [...found, ...exhausted.map(({ feature }) => makeRisk('attempts_exhausted', { feature }))];
}

/** A session with what the given checks of it found out. */
export function buildSessionDetail(
  platform: Platform,
  session: SessionRecord,
  records: readonly CheckRecord[],
  evidence: EvidenceRecord[],
): SessionDetail {
  const checks = new Map(records.map((check) => [check._id, check]));
  const steps = buildStepDetails(platform, session);
  return {
    session,
    steps,
    effectiveChecks: selectEffectiveChecks(session, checks),
    risks: collectRisks(session, checks, steps),
    evidence,
  };
}

/** A session with everything found out so far. @throws AppError 404 */
export async function getSessionDetail(platform: Platform, scope: Scope, id: string): Promise<SessionDetail> {
  const session = await getSession(scope, id);
  const [records, evidence] = await Promise.all([
    Check.find({ ...toScope(scope), sessionId: id, deletedAt: null })
      .sort({ _id: 1 })
      .lean<CheckRecord[]>(),
    findEvidence(scope, { recordId: id }),
  ]);
  return buildSessionDetail(platform, session, records, evidence);
}

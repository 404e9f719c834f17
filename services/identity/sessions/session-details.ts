import type { CheckKind, Finding } from '../../../domain/identity/checks/checks';
import type { Risk, Verdict } from '../../../domain/identity/checks/risks';
import { buildRisk } from '../../../domain/identity/checks/risks';
import { acceptsChecks } from '../../../domain/identity/sessions/session';
import {
  computeStepStatus,
  countAttemptsLeft,
  findJudgementTime,
  listCountedAttempts,
  listDecisiveAttempts,
} from '../../../domain/identity/sessions/steps';
import type { StepStatus } from '../../../domain/identity/sessions/steps';
import type { Feature } from '../../../domain/identity/sessions/features';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { readTogether } from '../../platform/evidence/data-keys';
import { findEvidence } from '../../platform/evidence/evidence';
import type { Platform, Scope } from '../../platform/platform';
import { getSession } from './session-store';
import { listChecksOfSession } from '../checks/check-store';

export interface StepDetail {
  feature: Feature;
  status: StepStatus;
  attempts: number;
  attemptsLeft: number;
  checkIds: string[];
}

/** The effective result of a feature, with its verdict. */
export type EffectiveResult<K extends CheckKind> = Finding<K> & { checkId: string; status: Verdict; risks: Risk[] };

export interface SessionDetail {
  session: SessionRecord;
  steps: StepDetail[];
  /** The checks whose results are effective, at most one per feature; {@link findEffectiveResult} reads them. */
  effectiveChecks: CheckRecord[];
  risks: Risk[];
  evidence: EvidenceRecord[];
}

/** The steps with their status and the attempts used and left. */
export const buildStepDetails = (platform: Platform, session: SessionRecord): StepDetail[] => {
  const judgedAt = acceptsChecks(session.status) ? null : findJudgementTime(session.steps);
  const at = judgedAt ?? platform.clock.now();
  return session.steps.map((step) => ({
    feature: step.feature,
    status: computeStepStatus(step, session.settings, at),
    attempts: listCountedAttempts(step).length,
    attemptsLeft: countAttemptsLeft(step, session.settings, at),
    checkIds: step.attempts.map(({ checkId }) => checkId),
  }));
};

/**
 * The checks whose results are effective: the last one of each step that has a result. A comparison made by the session
 * takes precedence over the client's.
 */
export function selectEffectiveChecks(session: SessionRecord, checks: ReadonlyMap<string, CheckRecord>): CheckRecord[] {
  return session.steps.flatMap((step) => {
    const attempts = listDecisiveAttempts(step).toReversed();
    const found = attempts
      .map(({ checkId }) => checks.get(checkId))
      .find((check) => check !== undefined && check.result !== null);
    return found === undefined ? [] : [found];
  });
}

/** The effective result of a kind of check; null until there is one. */
export function findEffectiveResult<K extends CheckKind>(
  { effectiveChecks }: SessionDetail,
  kind: K,
): EffectiveResult<K> | null {
  for (const check of effectiveChecks) {
    const { _id: checkId, verdict: status, risks } = check;
    if (!isCheckOfKind(check, kind) || check.result === null || status === null) continue;
    const finding: Finding<K> = check.result;
    return { ...finding, checkId, status, risks };
  }
  return null;
}

/** The risks of every decisive check, and `attempts_exhausted` for each exhausted step. */
function collectRisks(
  session: SessionRecord,
  checks: ReadonlyMap<string, CheckRecord>,
  steps: readonly StepDetail[],
): Risk[] {
  const decisive = session.steps.flatMap(listDecisiveAttempts);
  const found = decisive.flatMap(({ checkId }) => checks.get(checkId)?.risks ?? []);
  const exhausted = steps.filter(({ status }) => status === 'exhausted');
  return [...found, ...exhausted.map(({ feature }) => buildRisk('attempts_exhausted', { feature }))];
}

/** Builds the detail of a session from its checks. */
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

/** A session with all results so far. @throws AppError 404 */
export const getSessionDetail = (platform: Platform, scope: Scope, id: string): Promise<SessionDetail> =>
  readTogether(() => readSessionDetail(platform, scope, id));

async function readSessionDetail(platform: Platform, scope: Scope, id: string): Promise<SessionDetail> {
  const session = await getSession(scope, id);
  const [records, evidence] = await Promise.all([listChecksOfSession(session), findEvidence(scope, { recordId: id })]);
  // A front that waits for its back was not submitted yet.
  const submitted = evidence.filter(({ _id }) => _id !== session.keptFront?.evidenceId);
  return buildSessionDetail(platform, session, records, submitted);
}

import { assessAcceptedDocumentRisks } from '../../../domain/identity/documents/accepted-documents';
import type { AcceptedDocument } from '../../../domain/identity/documents/accepted-documents';
import { evaluateSessionRules } from '../../../domain/identity/sessions/decision';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { reevaluateCheck } from '../../../domain/identity/checks/evaluation';
import type { EvaluationSettings } from '../../../domain/identity/checks/evaluation';
import { RISKS } from '../../../domain/identity/checks/risks';
import type { Risk, RiskActions } from '../../../domain/identity/checks/risks';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { Rule } from '../../../domain/identity/sessions/rules/rule';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { findJudgementTime } from '../../../domain/identity/sessions/steps';
import type { Attempt, Step } from '../../../domain/identity/sessions/steps';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { buildTimeCondition } from '../../platform/lists/time-range';
import { toScope } from '../../platform/platform';
import type { Scope } from '../../platform/platform';
import { applyRules } from './rule-decision';
import { getTemplate } from './session-templates';

/** Sessions evaluated at a time, which bounds the results held in memory. */
const BATCH_SIZE = 50;

/** Statuses of decided sessions: only those have a decision to compare with. */
export const DECIDED_STATUSES = ['approved', 'declined', 'in_review', 'approval_expired'] as const;

/** The fields that a draft changes; the others are taken from the template. */
export interface TemplateDraft {
  thresholds?: EvaluationSettings['thresholds'] | undefined;
  actions?: RiskActions | undefined;
  rules?: Rule[] | undefined;
  /** The features that sessions would have had to verify @default the features of each session */
  features?: readonly Feature[] | undefined;
  /** Null accepts every document. */
  acceptedDocuments?: AcceptedDocument[] | null | undefined;
}

/** A draft completed with the fields of the template. */
interface CompleteDraft extends EvaluationSettings {
  rules: readonly Rule[];
  features: readonly Feature[] | null;
  acceptedDocuments: AcceptedDocument[] | null;
}

export interface SimulationFilter {
  templateId?: string | undefined;
  statuses?: readonly (typeof DECIDED_STATUSES)[number][] | undefined;
  /** Inclusive start of the time of creation. */
  from?: Date | undefined;
  /** Exclusive end of the time of creation. */
  to?: Date | undefined;
  /** Largest number of sessions, newest first. */
  limit: number;
}

/** Sessions with the same status by the rules then and the same status by the draft. */
export interface SimulatedMove {
  from: SessionStatus;
  to: SessionStatus;
  count: number;
  /** How reviewers decided those of them that were reviewed. */
  reviewed: { approved: number; declined: number };
  sessionIds: string[];
}

export interface Simulation {
  examined: number;
  unchanged: number;
  changed: number;
  moves: SimulatedMove[];
}

/**
 * The status that the rules decided, before any reviewer: the one that the first review after the latest resubmission
 * changed.
 */
function determineRuleStatus({ status, reviews }: SessionRecord): SessionStatus {
  const since = reviews.findLastIndex(({ decision }) => decision === 'resubmit');
  const decided = status === 'approval_expired' ? 'approved' : status;
  return reviews[since + 1]?.from ?? decided;
}

/** The decision of the last reviewer; null without one. */
function findReviewedStatus({ reviews }: SessionRecord): 'approved' | 'declined' | null {
  const last = reviews.at(-1)?.to;
  return last === 'approved' || last === 'declined' ? last : null;
}

/** Restores the default action of a risk whose action was set by the settings. */
const restoreDefaultAction = (risk: Risk, actions: RiskActions): Risk =>
  actions[risk.code] === undefined ? risk : { ...risk, action: RISKS[risk.code].action };

/** Replaces the risk of a document that is not accepted by the one under the draft. */
function reassessAcceptedDocuments(check: CheckRecord, risks: Risk[], accepted: AcceptedDocument[] | null): Risk[] {
  if (!isCheckOfKind(check, 'id_verification') || check.result === null) return risks;
  const others = risks.filter(({ code }) => code !== 'document_not_accepted');
  return [...others, ...assessAcceptedDocumentRisks(accepted, check.result)];
}

/** Evaluates a check by the draft: its measurements stay, its risks and verdict may change. */
function reevaluateCheckByDraft<K extends CheckKind>(
  check: CheckRecord,
  kind: K,
  before: RiskActions,
  draft: CompleteDraft,
): CheckRecord {
  if (!isCheckOfKind(check, kind) || check.result === null) return check;
  const found = check.risks.map((risk) => restoreDefaultAction(risk, before));
  const risks = reassessAcceptedDocuments(check, found, draft.acceptedDocuments);
  const { finding, risks: evaluated, verdict } = reevaluateCheck(kind, { finding: check.result, risks }, draft);
  return Object.assign({ ...check }, { result: finding, risks: evaluated, verdict });
}

const applyCheckToAttempt = (attempt: Attempt, check: CheckRecord | undefined): Attempt => ({
  ...attempt,
  outcome: check?.verdict ?? attempt.outcome,
  risks: check?.risks.map(({ code, action }) => ({ code, action })) ?? attempt.risks,
});

/** The steps that the draft requires; one that the session never had has no attempts. */
const selectSteps = (steps: readonly Step[], features: readonly Feature[] | null): readonly Step[] =>
  features === null
    ? steps
    : features.map((feature) => steps.find((step) => step.feature === feature) ?? { feature, attempts: [] });

/** The status that the draft would have given a session at the time of its decision. */
function simulateStatus(session: SessionRecord, checks: readonly CheckRecord[], draft: CompleteDraft): SessionStatus {
  const evaluated = checks.map((check) => reevaluateCheckByDraft(check, check.kind, session.settings.actions, draft));
  const checksById = new Map(evaluated.map((check) => [check._id, check]));
  const steps = selectSteps(session.steps, draft.features).map((step) => ({
    ...step,
    attempts: step.attempts.map((attempt) => applyCheckToAttempt(attempt, checksById.get(attempt.checkId))),
  }));
  const settings = { ...session.settings, thresholds: draft.thresholds, actions: draft.actions };
  const at = session.decision?.at ?? session.lastActivityAt;
  const outcome = evaluateSessionRules(steps, settings, findJudgementTime(steps) ?? at);
  if (outcome.kind === 'waiting') return 'in_progress';
  return applyRules({ ...session, steps, settings }, evaluated, draft.rules, outcome, at).status;
}

function countMove(moves: Map<string, SimulatedMove>, session: SessionRecord, to: SessionStatus): void {
  const from = determineRuleStatus(session);
  const key = `${from}.${to}`;
  const move = moves.get(key) ?? { from, to, count: 0, reviewed: { approved: 0, declined: 0 }, sessionIds: [] };
  moves.set(key, move);
  move.count += 1;
  const reviewed = findReviewedStatus(session);
  if (reviewed !== null) move.reviewed[reviewed] += 1;
  if (from !== to) move.sessionIds.push(session._id);
}

async function findPastSessions(scope: Scope, filter: SimulationFilter): Promise<SessionRecord[]> {
  const createdAt = buildTimeCondition(filter);
  return Session.find({
    ...toScope(scope),
    deletedAt: null,
    status: { $in: [...(filter.statuses ?? DECIDED_STATUSES)] },
    ...(filter.templateId === undefined ? {} : { templateId: filter.templateId }),
    ...(createdAt === undefined ? {} : { createdAt }),
  })
    .sort({ _id: -1 })
    .limit(filter.limit)
    .lean<SessionRecord[]>();
}

async function loadChecksBySession(
  scope: Scope,
  sessions: readonly SessionRecord[],
): Promise<Map<string, CheckRecord[]>> {
  const records = await Check.find({
    ...toScope(scope),
    sessionId: { $in: sessions.map(({ _id }) => _id) },
    deletedAt: null,
  })
    .sort({ _id: 1 })
    .lean<CheckRecord[]>();
  const bySession = new Map<string, CheckRecord[]>();
  for (const check of records) {
    const sessionId = check.sessionId ?? '';
    bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), check]);
  }
  return bySession;
}

/**
 * Decides past sessions again by a draft of a template and counts the decisions that differ. Writes neither the draft
 * nor the sessions.
 *
 * @throws AppError 404 for an unknown template
 */
export async function simulateTemplate(
  scope: Scope,
  templateId: string,
  draft: TemplateDraft,
  filter: SimulationFilter,
): Promise<Simulation> {
  const { definition } = await getTemplate(scope, templateId);
  const completeDraft: CompleteDraft = {
    thresholds: draft.thresholds ?? definition.thresholds,
    actions: draft.actions ?? definition.actions,
    rules: draft.rules ?? definition.rules,
    features: draft.features ?? null,
    acceptedDocuments: draft.acceptedDocuments === undefined ? definition.acceptedDocuments : draft.acceptedDocuments,
  };
  const sessions = await findPastSessions(scope, filter);
  const moves = new Map<string, SimulatedMove>();
  for (let start = 0; start < sessions.length; start += BATCH_SIZE) {
    const batch = sessions.slice(start, start + BATCH_SIZE);
    const checks = await loadChecksBySession(scope, batch);
    for (const session of batch)
      countMove(moves, session, simulateStatus(session, checks.get(session._id) ?? [], completeDraft));
  }
  const counted = [...moves.values()].sort((a, b) => b.count - a.count);
  const unchanged = counted.filter(({ from, to }) => from === to).reduce((sum, { count }) => sum + count, 0);
  return { examined: sessions.length, unchanged, changed: sessions.length - unchanged, moves: counted };
}

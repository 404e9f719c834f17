import { assessAcceptedDocumentRisks } from '../../../domain/identity/documents/accepted-documents';
import type { AcceptedDocument } from '../../../domain/identity/documents/accepted-documents';
import { evaluateSessionRules } from '../../../domain/identity/sessions/decision';
import type { AvailableFeature, CheckKind } from '../../../domain/identity/checks/checks';
import { reevaluateCheck } from '../../../domain/identity/checks/evaluation';
import type { EvaluationSettings } from '../../../domain/identity/checks/evaluation';
import { RISKS } from '../../../domain/identity/checks/risks';
import type { Risk, RiskActions } from '../../../domain/identity/checks/risks';
import type { Rule } from '../../../domain/identity/sessions/rules/rule';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import type { Attempt, Step } from '../../../domain/identity/sessions/steps';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { buildTimeCondition } from '../../platform/lists/time-range';
import type { Scope } from '../../platform/platform';
import { applyRules } from './rule-decision';
import { toScope } from './session-store';
import { getTemplate } from './session-templates';

/** Sessions judged at a time, so that no more of their results lie in memory. */
const BATCH_SIZE = 50;

/** Statuses of sessions that were decided, and so have something to compare with. */
export const DECIDED_STATUSES = ['approved', 'declined', 'in_review', 'approval_expired'] as const;

/** What a draft changes; the rest is the template's own. */
export interface TemplateDraft {
  thresholds?: EvaluationSettings['thresholds'] | undefined;
  actions?: RiskActions | undefined;
  rules?: Rule[] | undefined;
  /** what its sessions would have had to do; left out: each what it was asked for */
  features?: readonly AvailableFeature[] | undefined;
  /** null: every document */
  acceptedDocuments?: AcceptedDocument[] | null | undefined;
}

/** A draft with everything it leaves out. */
interface CompleteDraft extends EvaluationSettings {
  rules: readonly Rule[];
  features: readonly AvailableFeature[] | null;
  acceptedDocuments: AcceptedDocument[] | null;
}

export interface SimulationFilter {
  templateId?: string | undefined;
  statuses?: readonly (typeof DECIDED_STATUSES)[number][] | undefined;
  /** created at or after */
  from?: Date | undefined;
  /** created before */
  to?: Date | undefined;
  /** the newest so many */
  limit: number;
}

/** Sessions that went one way by the rules then and would go another, or the same, by the draft. */
export interface SimulatedMove {
  from: SessionStatus;
  to: SessionStatus;
  count: number;
  /** what reviewers made of those of them they decided */
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
 * What the rules decided, before any reviewer: the status the first review found, of the reviews that came after the
 * last request to submit again.
 */
function determineRuleStatus({ status, reviews }: SessionRecord): SessionStatus {
  const since = reviews.findLastIndex(({ decision }) => decision === 'resubmit');
  const decided = status === 'approval_expired' ? 'approved' : status;
  return reviews[since + 1]?.from ?? decided;
}

/** What a reviewer made of a session, where one decided. */
function findReviewedStatus({ reviews }: SessionRecord): 'approved' | 'declined' | null {
  const last = reviews.at(-1)?.to;
  return last === 'approved' || last === 'declined' ? last : null;
}

/** The action a risk was found with, before the settings it was judged by had their word. */
const restoreFoundAction = (risk: Risk, actions: RiskActions): Risk =>
  actions[risk.code] === undefined ? risk : { ...risk, action: RISKS[risk.code].action };

/** Whether a document is of a kind that the draft accepts is asked anew. */
function reassessAcceptedDocuments(check: CheckRecord, risks: Risk[], accepted: AcceptedDocument[] | null): Risk[] {
  if (!isCheckOfKind(check, 'id_verification') || check.result === null) return risks;
  const others = risks.filter(({ code }) => code !== 'document_not_accepted');
  return [...others, ...assessAcceptedDocumentRisks(accepted, check.result)];
}

/** A check under other settings: what it measured stays, what is made of it does not. */
function rejudgeCheck<K extends CheckKind>(
  check: CheckRecord,
  kind: K,
  before: RiskActions,
  draft: CompleteDraft,
): CheckRecord {
  if (!isCheckOfKind(check, kind) || check.result === null) return check;
  const found = check.risks.map((risk) => restoreFoundAction(risk, before));
  const risks = reassessAcceptedDocuments(check, found, draft.acceptedDocuments);
  const { finding, risks: judged, verdict } = reevaluateCheck(kind, { finding: check.result, risks }, draft);
  return Object.assign({ ...check }, { result: finding, risks: judged, verdict });
}

const rejudgeAttempt = (attempt: Attempt, check: CheckRecord | undefined): Attempt => ({
  ...attempt,
  outcome: check?.verdict ?? attempt.outcome,
  risks: check?.risks.map(({ code, action }) => ({ code, action })) ?? attempt.risks,
});

/** The steps a draft would have asked for: one that the session never had was not run. */
const selectSteps = (steps: readonly Step[], features: readonly AvailableFeature[] | null): readonly Step[] =>
  features === null
    ? steps
    : features.map((feature) => steps.find((step) => step.feature === feature) ?? { feature, attempts: [] });

/** Where a session would stand, had it been decided by the draft when it was decided. */
function simulateStatus(session: SessionRecord, checks: readonly CheckRecord[], draft: CompleteDraft): SessionStatus {
  const judged = checks.map((check) => rejudgeCheck(check, check.kind, session.settings.actions, draft));
  const checksById = new Map(judged.map((check) => [check._id, check]));
  const steps = selectSteps(session.steps, draft.features).map((step) => ({
    ...step,
    attempts: step.attempts.map((attempt) => rejudgeAttempt(attempt, checksById.get(attempt.checkId))),
  }));
  const settings = { ...session.settings, thresholds: draft.thresholds, actions: draft.actions };
  const at = session.decision?.at ?? session.lastActivityAt;
  const outcome = evaluateSessionRules(steps, settings, at);
  if (outcome.kind === 'waiting') return 'in_progress';
  return applyRules({ ...session, steps, settings }, judged, draft.rules, outcome, at).status;
}

function recordMove(moves: Map<string, SimulatedMove>, session: SessionRecord, to: SessionStatus): void {
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
 * Decides past sessions again by a draft of a template, and tells how many would have gone another way. Nothing is
 * written: not the draft, not the sessions.
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
      recordMove(moves, session, simulateStatus(session, checks.get(session._id) ?? [], completeDraft));
  }
  const counted = [...moves.values()].sort((a, b) => b.count - a.count);
  const unchanged = counted.filter(({ from, to }) => from === to).reduce((sum, { count }) => sum + count, 0);
  return { examined: sessions.length, unchanged, changed: sessions.length - unchanged, moves: counted };
}

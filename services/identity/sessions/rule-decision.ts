import type { ClientSession } from 'mongoose';
import { onlyDoubts } from '../../../domain/identity/sessions/decision';
import type { RuleOutcome } from '../../../domain/identity/sessions/decision';
import { decidingRule } from '../../../domain/identity/sessions/rules/rule';
import type { Rule, RuleStatus } from '../../../domain/identity/sessions/rules/rule';
import type { RuleSubject } from '../../../domain/identity/sessions/rules/subject';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { decisiveAttempts } from '../../../domain/identity/sessions/steps';
import { matchesPattern } from '../../../lib/patterns';
import { Check, isCheckOf } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { TemplateVersion } from '../../../models/identity/sessions/session-template';
import type { TemplateVersionRecord } from '../../../models/identity/sessions/session-template';
import { standingChecks } from './session-details';
import { scopeOf } from './session-store';

/** A decision by rules, with the organisation's own rule that made it. */
export interface RuledDecision {
  status: RuleStatus;
  reasons: RiskCode[];
  rule: string | null;
}

function putFinding<K extends CheckKind>(results: RuleSubject['results'], kind: K, check: CheckRecord): void {
  if (isCheckOf(check, kind) && check.result !== null) Object.assign(results, { [kind]: check.result });
}

/** What rules may look at in a session: its own fields and the results that stand. */
export function ruleSubject(session: SessionRecord, checks: readonly CheckRecord[]): RuleSubject {
  const { externalId, language, country, metadata, contact, steps } = session;
  const results: RuleSubject['results'] = {};
  const known = new Map(checks.map((check) => [check._id, check]));
  for (const check of standingChecks(session, known)) putFinding(results, check.kind, check);
  const attempts = steps.flatMap((step) => step.attempts);
  return {
    session: {
      externalId,
      language,
      country,
      metadata,
      contact,
      attempts: attempts.filter(({ origin, superseded }) => origin === 'client' && !superseded).length,
    },
    results,
    risks: [...new Set(steps.flatMap(decisiveAttempts).flatMap(({ risks }) => risks.map(({ code }) => code)))],
  };
}

/** What an organisation's rules make of a decision. */
export function applyRules(
  session: SessionRecord,
  checks: readonly CheckRecord[],
  rules: readonly Rule[],
  decided: Extract<RuleOutcome, { kind: 'decided' }>,
  at: Date,
): RuledDecision {
  const approvable = onlyDoubts(session.steps, session.settings, at);
  const subject = ruleSubject(session, checks);
  const rule = decidingRule(rules, { status: decided.status, approvable }, subject, matchesPattern);
  return { status: rule?.status ?? decided.status, reasons: decided.reasons, rule: rule?.id ?? null };
}

/** The rules of the version of the template that a session started with. */
async function rulesOf(session: SessionRecord, transaction: ClientSession): Promise<readonly Rule[]> {
  if (session.workflowId === null) return [];
  const version = await TemplateVersion.findOne({
    ...scopeOf(session),
    templateId: session.workflowId,
    version: session.workflowVersion,
  })
    .session(transaction)
    .lean<TemplateVersionRecord>();
  return version?.definition.rules ?? [];
}

/** Asks the organisation's rules about a decision, where its session has any. */
export async function ruledDecision(
  session: SessionRecord,
  decided: Extract<RuleOutcome, { kind: 'decided' }>,
  at: Date,
  transaction: ClientSession,
): Promise<RuledDecision> {
  const rules = await rulesOf(session, transaction);
  if (rules.length === 0) return { status: decided.status, reasons: decided.reasons, rule: null };
  const checks = await Check.find({ ...scopeOf(session), sessionId: session._id, deletedAt: null })
    .session(transaction)
    .lean<CheckRecord[]>();
  return applyRules(session, checks, rules, decided, at);
}

import type { ClientSession } from 'mongoose';
import { hasOnlyDoubts } from '../../../domain/identity/sessions/decision';
import type { RuleOutcome } from '../../../domain/identity/sessions/decision';
import { findDecidingRule } from '../../../domain/identity/sessions/rules/rule';
import type { Rule, RuleStatus } from '../../../domain/identity/sessions/rules/rule';
import type { RuleSubject } from '../../../domain/identity/sessions/rules/subject';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { listDecisiveAttempts } from '../../../domain/identity/sessions/steps';
import { matchesPattern } from '../../../lib/patterns';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { TemplateVersion } from '../../../models/identity/sessions/session-template';
import type { TemplateVersionRecord } from '../../../models/identity/sessions/session-template';
import { selectEffectiveChecks } from './session-details';
import { toScope } from '../../platform/platform';
import { listChecksOfSession } from '../checks/check-store';

/** A decision by rules; `rule` is the id of the organisation's rule that changed it. */
export interface RuleDecision {
  status: RuleStatus;
  reasons: RiskCode[];
  rule: string | null;
}

function addFinding<K extends CheckKind>(results: RuleSubject['results'], kind: K, check: CheckRecord): void {
  if (isCheckOfKind(check, kind) && check.result !== null) Object.assign(results, { [kind]: check.result });
}

/** The data that rules can refer to: fields of the session and its effective results. */
export function buildRuleSubject(session: SessionRecord, checks: readonly CheckRecord[]): RuleSubject {
  const { externalId, language, country, metadata, contact, steps } = session;
  const results: RuleSubject['results'] = {};
  const checksById = new Map(checks.map((check) => [check._id, check]));
  for (const check of selectEffectiveChecks(session, checksById)) addFinding(results, check.kind, check);
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
    risks: [...new Set(steps.flatMap(listDecisiveAttempts).flatMap(({ risks }) => risks.map(({ code }) => code)))],
  };
}

/** Applies an organisation's rules to a decision. */
export function applyRules(
  session: SessionRecord,
  checks: readonly CheckRecord[],
  rules: readonly Rule[],
  decided: Extract<RuleOutcome, { kind: 'decided' }>,
  at: Date,
): RuleDecision {
  const approvable = hasOnlyDoubts(session.steps, session.settings, at);
  const subject = buildRuleSubject(session, checks);
  const rule = findDecidingRule(rules, { status: decided.status, approvable }, subject, matchesPattern);
  return { status: rule?.status ?? decided.status, reasons: decided.reasons, rule: rule?.id ?? null };
}

/** Loads the rules of the template version that the session started with. */
async function loadRules(session: SessionRecord, mongoSession: ClientSession): Promise<readonly Rule[]> {
  if (session.templateId === null) return [];
  const version = await TemplateVersion.findOne({
    ...toScope(session),
    templateId: session.templateId,
    version: session.templateVersion,
  })
    .session(mongoSession)
    .lean<TemplateVersionRecord>();
  return version?.definition.rules ?? [];
}

/** Applies the rules of the session's template, if any, to a decision. */
export async function applyTemplateRules(
  session: SessionRecord,
  decided: Extract<RuleOutcome, { kind: 'decided' }>,
  at: Date,
  mongoSession: ClientSession,
): Promise<RuleDecision> {
  const rules = await loadRules(session, mongoSession);
  if (rules.length === 0) return { status: decided.status, reasons: decided.reasons, rule: null };
  const checks = await listChecksOfSession(session, { mongoSession });
  return applyRules(session, checks, rules, decided, at);
}

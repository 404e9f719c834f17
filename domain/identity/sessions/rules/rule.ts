import { RULE_FIELD_NAMES, findRuleField } from './fields';
import { evaluateComparison, OPERATORS_BY_TYPE } from './operators';
import type { Matcher, RuleOperator, RuleValue } from './operators';
import type { RuleSubject } from './subject';

/** A comparison of one field. */
export interface Condition {
  field: string;
  operator: RuleOperator;
  /** Absent with `exists` and `not_exists`, a list with `in` and `not_in`. */
  value?: RuleValue | undefined;
}

export const RULE_STATUSES = ['approved', 'declined', 'in_review'] as const;

export type RuleStatus = (typeof RULE_STATUSES)[number];

/** A rule of an organisation: sessions for which all its conditions hold get the status. */
export interface Rule extends Condition {
  /** Unique in its template; the decision names it. */
  id: string;
  /** Further conditions, which must hold too. */
  and?: Condition[] | undefined;
  status: RuleStatus;
}

const conditionHolds = ({ field, operator, value }: Condition, subject: RuleSubject, matches: Matcher): boolean => {
  const fact = findRuleField(field)?.read(subject);
  return evaluateComparison(operator, fact ?? undefined, value, matches);
};

const ruleHolds = (rule: Rule, subject: RuleSubject, matches: Matcher): boolean =>
  [rule, ...(rule.and ?? [])].every((condition) => conditionHolds(condition, subject, matches));

/** A decision of the service's rules, which an organisation's rules may change. */
export interface Proposal {
  status: RuleStatus;
  /** Every step passed or has only a doubt: only then may a rule approve the session. */
  approvable: boolean;
}

/**
 * The first rule that holds and whose status is permitted. A rule cannot approve a session that a finding declines, or
 * one with a step that did not pass; such a rule is skipped. To soften a finding, an organisation changes the action
 * of its risk.
 */
export const findDecidingRule = (
  rules: readonly Rule[],
  { status, approvable }: Proposal,
  subject: RuleSubject,
  matches: Matcher,
): Rule | undefined =>
  rules.find(
    (rule) =>
      (rule.status !== 'approved' || status === 'approved' || (status === 'in_review' && approvable)) &&
      ruleHolds(rule, subject, matches),
  );

const LIST_OPERATORS: readonly RuleOperator[] = ['in', 'not_in'];

const fitsType = (type: string, value: unknown): boolean => {
  if (type === 'number') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return type === 'any' || typeof value === 'string';
};

/** Describes what is wrong with a condition, and with which part of it; null if it is valid. */
export function findConditionProblem(
  { field: name, operator, value }: Condition,
  isPattern: (pattern: string) => boolean,
): { part: 'field' | 'operator' | 'value'; problem: string } | null {
  const field = findRuleField(name);
  if (field === undefined) return { part: 'field', problem: `accepts ${RULE_FIELD_NAMES.join(', ')}` };
  const operators = OPERATORS_BY_TYPE[field.type];
  if (!operators.includes(operator)) {
    return { part: 'operator', problem: `${name} takes ${operators.join(', ')}` };
  }
  if (operator === 'exists' || operator === 'not_exists') {
    return value === undefined ? null : { part: 'value', problem: `is not taken by ${operator}` };
  }
  if (value === undefined) return { part: 'value', problem: `is required by ${operator}` };
  if (LIST_OPERATORS.includes(operator) !== Array.isArray(value)) {
    return {
      part: 'value',
      problem: `${operator} takes ${LIST_OPERATORS.includes(operator) ? 'a list' : 'one value'}`,
    };
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!values.every((one) => fitsType(field.type, one))) {
    return { part: 'value', problem: `${name} compares with a ${field.type}` };
  }
  if (operator === 'matches' && !(typeof value === 'string' && isPattern(value))) {
    return {
      part: 'value',
      problem: 'accepts a pattern in RE2 syntax (no look-around, no back-references), at most 200 characters',
    };
  }
  return null;
}

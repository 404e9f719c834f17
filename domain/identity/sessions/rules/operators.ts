import { foldCase } from '../fold-case';
import type { FactValue, FieldType } from './fields';

export const RULE_OPERATORS = [
  'exists',
  'not_exists',
  'equals',
  'not_equals',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'greater',
  'greater_or_equal',
  'less',
  'less_or_equal',
] as const;

export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** The value that a rule compares a field with. */
export type RuleValue = string | number | boolean | (string | number)[];

/** Whether a user's pattern matches a text, in linear time; injected because it needs a library. */
export type Matcher = (pattern: string, text: string) => boolean;

const PRESENCE: readonly RuleOperator[] = ['exists', 'not_exists'];
const EQUALITY: readonly RuleOperator[] = [...PRESENCE, 'equals', 'not_equals', 'in', 'not_in'];
const ORDER: readonly RuleOperator[] = ['greater', 'greater_or_equal', 'less', 'less_or_equal'];
const TEXT: readonly RuleOperator[] = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'];

/** The operators of each field type. */
export const OPERATORS_BY_TYPE: Readonly<Record<FieldType, readonly RuleOperator[]>> = {
  text: [...EQUALITY, ...TEXT],
  number: [...EQUALITY, ...ORDER],
  date: [...EQUALITY, ...ORDER],
  boolean: [...PRESENCE, 'equals', 'not_equals'],
  list: [...PRESENCE, 'contains', 'not_contains', 'in', 'not_in'],
  any: RULE_OPERATORS,
};

/** Text is compared case-insensitively because documents print capitals; only `matches` is case-sensitive. */
const isEqual = (fact: string | number | boolean, value: unknown): boolean =>
  typeof fact === 'string' && typeof value === 'string' ? foldCase(fact) === foldCase(value) : fact === value;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Negative, zero or positive; NaN if the two cannot be ordered, such as a date with an unknown day. */
function compareOrder(fact: FactValue, value: RuleValue): number {
  if (typeof fact === 'number' && typeof value === 'number') return fact - value;
  if (typeof fact !== 'string' || typeof value !== 'string' || !DATE.test(fact) || !DATE.test(value)) return NaN;
  return fact < value ? -1 : Number(fact > value);
}

type PresentValue = Exclude<FactValue, undefined>;

const someValue = (fact: PresentValue, predicate: (value: string | number | boolean) => boolean): boolean =>
  typeof fact === 'object' ? fact.some(predicate) : predicate(fact);

const isIn = (fact: PresentValue, value: RuleValue): boolean =>
  someValue(fact, (one) =>
    Array.isArray(value) ? value.some((candidate) => isEqual(one, candidate)) : isEqual(one, value),
  );

const testText = (fact: PresentValue, value: RuleValue, holds: (fact: string, value: string) => boolean): boolean =>
  typeof fact === 'string' && typeof value === 'string' && holds(foldCase(fact), foldCase(value));

const contains = (fact: PresentValue, value: RuleValue): boolean =>
  typeof fact === 'object' ? isIn(fact, value) : testText(fact, value, (whole, part) => whole.includes(part));

/** Whether `contains` applies to the value, so that its negation is not true merely because it does not apply. */
const supportsContains = (fact: PresentValue): boolean => typeof fact === 'object' || typeof fact === 'string';

/**
 * Whether a comparison holds. For a field without a value only `not_exists` holds: an unknown value is not a different
 * value either.
 */
export function evaluateComparison(
  operator: RuleOperator,
  fact: FactValue,
  value: RuleValue | undefined,
  matches: Matcher,
): boolean {
  const absent = fact === undefined || (typeof fact === 'object' && fact.length === 0);
  if (operator === 'exists') return !absent;
  if (operator === 'not_exists') return absent;
  if (fact === undefined || value === undefined) return false;
  switch (operator) {
    case 'equals':
      return isIn(fact, value);
    case 'not_equals':
      return !isIn(fact, value);
    case 'in':
      return isIn(fact, value);
    case 'not_in':
      return !isIn(fact, value);
    case 'contains':
      return contains(fact, value);
    case 'not_contains':
      return supportsContains(fact) && !contains(fact, value);
    case 'starts_with':
      return testText(fact, value, (whole, part) => whole.startsWith(part));
    case 'ends_with':
      return testText(fact, value, (whole, part) => whole.endsWith(part));
    case 'matches':
      return typeof fact === 'string' && typeof value === 'string' && matches(value, fact);
    case 'greater':
      return compareOrder(fact, value) > 0;
    case 'greater_or_equal':
      return compareOrder(fact, value) >= 0;
    case 'less':
      return compareOrder(fact, value) < 0;
    case 'less_or_equal':
      return compareOrder(fact, value) <= 0;
  }
}

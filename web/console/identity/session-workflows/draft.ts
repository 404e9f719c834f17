import type { Body, OperationResponse } from '../../../../clients/typescript/src/calls';
import { BOOLEAN_FIELDS, isOfAnyType, NUMBER_FIELDS } from './fields';

export type Workflow = OperationResponse<'getSessionWorkflow'>['workflow'];
type Change = Body<'updateSessionWorkflow'>;
type Rule = NonNullable<Change['rules']>[number];
type Condition = NonNullable<Rule['and']>[number];
export type Operator = Rule['operator'];
export type Status = Rule['status'];

/** A condition as it is edited: its value is text. */
export interface EditedCondition {
  /** Identifies the condition while it is edited. */
  key: string;
  field: string;
  operator: Operator;
  value: string;
  /** The condition as it is stored; null for a new one. */
  stored: Condition | null;
}

export interface EditedRule {
  key: string;
  id: string;
  status: Status;
  /** All of them must hold. */
  conditions: EditedCondition[];
}

/** Scores with two limits, as the API names them. Liveness and faces are better the higher they are; hits are worse. */
export const LIMITS = ['liveness', 'faceMatch', 'aml'] as const;

type Limit = (typeof LIMITS)[number];

/** Thresholds and rules of a session workflow while they are edited. */
export interface Draft extends Record<string, unknown> {
  /** A field that is empty stands for the threshold of the service. */
  thresholds: Record<Limit, { review: number | string; decline: number | string }>;
  minimumAge: number | string;
  rules: EditedRule[];
}

export const OPERATORS: readonly Operator[] = [
  'equals',
  'not_equals',
  'in',
  'not_in',
  'greater',
  'greater_or_equal',
  'less',
  'less_or_equal',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'exists',
  'not_exists',
];

const LISTS: readonly Operator[] = ['in', 'not_in'];
/** Operators without a value. */
const UNARY: readonly Operator[] = ['exists', 'not_exists'];

/** Whether an operator compares the field with a value, for which the editor has an input. */
export const hasValue = (operator: Operator): boolean => !UNARY.includes(operator);

const newKey = (): string => crypto.randomUUID();

/** A condition that was not stored before. */
export const createCondition = (): EditedCondition => ({
  key: newKey(),
  field: '',
  operator: 'equals',
  value: '',
  stored: null,
});

/** A rule with one condition, which sends sessions to review; the service gives it an id. */
export const createRule = (): EditedRule => ({
  key: newKey(),
  id: '',
  status: 'in_review',
  conditions: [createCondition()],
});

const toText = (value: Condition['value']): string =>
  Array.isArray(value) ? value.join(', ') : value === undefined ? '' : String(value);

/** Stored conditions have the same key whenever they are read, so that an unchanged rule is recognised. */
const editCondition = (stored: Condition, key: string): EditedCondition => ({
  key,
  field: stored.field,
  operator: stored.operator,
  value: toText(stored.value),
  stored,
});

const editLimits = (limits: { review: number; decline: number } | undefined) => ({
  review: limits?.review ?? '',
  decline: limits?.decline ?? '',
});

/** The draft that describes a workflow as it is. */
export const toDraft = ({ thresholds, rules }: Workflow): Draft => ({
  thresholds: {
    liveness: editLimits(thresholds.liveness),
    faceMatch: editLimits(thresholds.faceMatch),
    aml: editLimits(thresholds.aml),
  },
  minimumAge: thresholds.minimumAge ?? '',
  rules: rules.map(({ id, status, and, ...first }) => ({
    key: id,
    id,
    status,
    conditions: [first, ...(and ?? [])].map((condition, index) => editCondition(condition, `${id}.${index}`)),
  })),
});

/**
 * The value with which a field is compared: a number or truth value for a field that has one, else text, such as a postal
 * code. For a field of any type, a number is what is written as one: `7`, but not `007`.
 */
function parseValue(field: string, text: string): string | number | boolean {
  const trimmed = text.trim();
  const isAny = isOfAnyType(field);
  if (trimmed === 'true' || trimmed === 'false')
    return isAny || BOOLEAN_FIELDS.includes(field) ? trimmed === 'true' : trimmed;
  const number = trimmed === '' ? Number.NaN : Number(trimmed);
  const isNumber = NUMBER_FIELDS.includes(field) ? Number.isFinite(number) : isAny && String(number) === trimmed;
  return isNumber ? number : trimmed;
}

const parseList = (field: string, text: string): (string | number)[] =>
  text.split(',').flatMap((part) => {
    const value = parseValue(field, part);
    return value === '' ? [] : [typeof value === 'boolean' ? String(value) : value];
  });

function toCondition({ field, operator, value, stored }: EditedCondition): Condition {
  // The text of a stored value does not tell its type, nor whether a comma belongs to it.
  if (stored?.field === field && stored.operator === operator && toText(stored.value) === value) return stored;
  if (!hasValue(operator)) return { field, operator };
  return { field, operator, value: LISTS.includes(operator) ? parseList(field, value) : parseValue(field, value) };
}

/** The API refuses one limit without the other, at the field that is empty: `null` stands for it in JSON. */
const toScore = (value: number | string): number => (value === '' ? Number.NaN : Number(value));

const toLimits = ({ review, decline }: Draft['thresholds'][Limit]) =>
  review === '' && decline === '' ? undefined : { review: toScore(review), decline: toScore(decline) };

/** What the API stores or simulates for a draft. */
export function toChange({ thresholds, minimumAge, rules }: Draft): Required<Pick<Change, 'thresholds' | 'rules'>> {
  const [liveness, faceMatch, aml] = LIMITS.map((name) => toLimits(thresholds[name]));
  return {
    thresholds: {
      ...(liveness === undefined ? {} : { liveness }),
      ...(faceMatch === undefined ? {} : { faceMatch }),
      ...(aml === undefined ? {} : { aml }),
      ...(minimumAge === '' ? {} : { minimumAge: Number(minimumAge) }),
    },
    rules: rules.flatMap(({ id, status, conditions: [first, ...others] }) =>
      first === undefined
        ? []
        : [{ ...(id === '' ? {} : { id }), ...toCondition(first), and: others.map(toCondition), status }],
    ),
  };
}

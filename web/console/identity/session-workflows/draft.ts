import type { Body, OperationResponse } from '../../../../clients/typescript/src/calls';

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

export const hasValue = (operator: Operator): boolean => !UNARY.includes(operator);

const newKey = (): string => crypto.randomUUID();

export const createCondition = (): EditedCondition => ({ key: newKey(), field: '', operator: 'equals', value: '' });

export const createRule = (): EditedRule => ({
  key: newKey(),
  id: '',
  status: 'in_review',
  conditions: [createCondition()],
});

/** Stored conditions have the same key whenever they are read, so that an unchanged rule is recognised. */
const editCondition = ({ field, operator, value }: Condition, key: string): EditedCondition => ({
  key,
  field,
  operator,
  value: Array.isArray(value) ? value.join(', ') : value === undefined ? '' : String(value),
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

/** A number or truth value where the text is one. */
function parseValue(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

const parseList = (text: string): (string | number)[] =>
  text.split(',').flatMap((part) => {
    const value = parseValue(part);
    return value === '' ? [] : [typeof value === 'boolean' ? String(value) : value];
  });

function toCondition({ field, operator, value }: EditedCondition): Condition {
  if (!hasValue(operator)) return { field, operator };
  return { field, operator, value: LISTS.includes(operator) ? parseList(value) : parseValue(value) };
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

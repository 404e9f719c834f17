import { z } from 'zod';
import type { FieldProblem } from '../../domain/errors';

/** Formats a zod path like `lines[0].quantity`. */
export const formatFieldPath = (path: readonly PropertyKey[], rootName: string): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  ) || rootName;

const REQUIRED = 'is required';

/** What a type is called in a message, by the name that zod has for it. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'absent',
};

/** What a text format is called in a message, by the name that zod has for it. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  date: 'must be a date YYYY-MM-DD',
  datetime: 'must be a date-time such as 2026-11-21T10:00:00Z',
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  object: ['field', 'fields'],
  record: ['field', 'fields'],
};

/** A limit of a number, or of the length of a text or list. */
function describeLimit(bound: 'least' | 'most', origin: string, limit: number | bigint, inclusive = true): string {
  const units = UNITS[origin];
  if (units === undefined) {
    if (inclusive) return `must be at ${bound} ${limit}`;
    return `must be ${bound === 'least' ? 'greater' : 'less'} than ${limit}`;
  }
  if (bound === 'least' && Number(limit) === 1) return 'must not be empty';
  return `must have at ${bound} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}`;
}

const listAccepted = (values: readonly unknown[]): string => values.map((value) => String(value)).join(', ');

/** The names of the fields that the object schema behind an issue accepts. */
const listKnownFields = (inst: unknown): string[] => (inst instanceof z.ZodObject ? Object.keys(inst.shape) : []);

function describeUnknownFields(inst: unknown): string {
  const known = listKnownFields(inst);
  return known.length === 0
    ? 'is not a known field; none are accepted here'
    : `is not a known field; accepted: ${known.join(', ')}`;
}

/**
 * The problem with a value, in words of this API: says what is accepted, and never contains a regular expression or the
 * name of a type of the validation library. Messages of the schemas themselves take precedence.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : `must be ${TYPE_NAMES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return describeLimit('least', issue.origin, issue.minimum, issue.inclusive);
    case 'too_big':
      return describeLimit('most', issue.origin, issue.maximum, issue.inclusive);
    case 'invalid_format':
      return FORMAT_NAMES[issue.format] ?? 'does not have the accepted form';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      if (issue.input === undefined) return REQUIRED;
      return issue.values.length === 1
        ? `must be ${listAccepted(issue.values)}`
        : `must be one of ${listAccepted(issue.values)}`;
    case 'unrecognized_keys':
      return describeUnknownFields(issue.inst);
    case 'invalid_key':
      return 'has a name that is not accepted';
    case 'invalid_element':
    case 'invalid_union':
    case 'custom':
      return 'is not accepted';
  }
}

const TYPE_ISSUES: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** A schema's own message says what a value must be; for an absent one, that it is required comes first. */
function toProblem(issue: z.core.$ZodIssue): string {
  const isMissing = TYPE_ISSUES.has(issue.code) && issue.input === undefined;
  return isMissing && !issue.message.startsWith(REQUIRED) ? REQUIRED : issue.message;
}

/**
 * The wrong fields of a request; each unknown field is one of its own. Of several problems of a field the first says what
 * to correct: others often follow from it, such as those of an empty text.
 */
export function toFieldProblems(error: z.ZodError, rootName: string): FieldProblem[] {
  const problems = new Map<string, string>();
  const add = (path: readonly PropertyKey[], problem: string): void => {
    const field = formatFieldPath(path, rootName);
    if (!problems.has(field)) problems.set(field, problem);
  };
  for (const issue of error.issues) {
    if (issue.code !== 'unrecognized_keys') add(issue.path, toProblem(issue));
    else for (const key of issue.keys) add([...issue.path, key], issue.message);
  }
  return [...problems].map(([field, problem]) => ({ field, problem }));
}

/** Parses one part of a request and adds its wrong fields to `problems`. */
export function parsePart<T extends z.ZodType>(
  schema: T | undefined,
  value: unknown,
  rootName: string,
  problems: FieldProblem[],
): z.infer<T> {
  if (schema === undefined) return undefined as z.infer<T>;
  const parsed = schema.safeParse(value, { error: describeIssue, reportInput: true });
  if (parsed.success) return parsed.data;
  problems.push(...toFieldProblems(parsed.error, rootName));
  return undefined as z.infer<T>;
}

/** Whether a parameter was repeated that has this schema and takes one value. */
function isWronglyRepeated(schema: z.ZodType, sent: unknown): boolean {
  const first: unknown = Array.isArray(sent) ? sent[0] : undefined;
  return first !== undefined && schema.safeParse(first).success && !schema.safeParse([first, first]).success;
}

/**
 * {@link parsePart} of the query. A repeated parameter is an array in it: for one that takes a single value, a problem
 * with the array as a value would not say what is wrong.
 */
export function parseQuery<T extends z.ZodType>(
  schema: T | undefined,
  query: unknown,
  problems: FieldProblem[],
): z.infer<T> {
  const found: FieldProblem[] = [];
  const parsed = parsePart(schema, query, 'query', found);
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const sent = new Map(typeof query === 'object' && query !== null ? Object.entries(query) : []);
  for (const problem of found) {
    const parameter = Object.hasOwn(shape, problem.field) ? shape[problem.field] : undefined;
    const isRepeated = parameter instanceof z.ZodType && isWronglyRepeated(parameter, sent.get(problem.field));
    problems.push(isRepeated ? { field: problem.field, problem: 'must be given once' } : problem);
  }
  return parsed;
}

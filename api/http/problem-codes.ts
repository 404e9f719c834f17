import type { FieldProblem } from '../../domain/errors';

/** A problem in codes, from which a client can make a text in its own language. */
interface ProblemCode {
  code: string;
  params?: Record<string, string>;
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;

/**
 * The problems that many fields have, by code, with the names of the values in their text. The code follows from the
 * text, so that it is the same whether a schema or a service found the problem. The first that matches counts.
 */
const PROBLEMS: readonly (readonly [code: string, text: string, ...params: readonly string[]])[] = [
  ['required', 'is required(?:: .*)?'],
  ['required', 'a file is required'],
  ['empty', 'must not be empty'],
  ['not_a_number', 'must be a (?:finite )?number'],
  ['not_a_whole_number', 'must be a whole number'],
  ['out_of_range', `(?:must be|accepts) a whole number (?:from )?${NUMBER}(?:–| to )${NUMBER}`, 'min', 'max'],
  ['too_low', `must be a whole number from ${NUMBER}`, 'min'],
  ['too_low', `must be at least ${NUMBER}`, 'min'],
  ['too_high', `must be at most ${NUMBER}(?: [A-Z]{3})?`, 'max'],
  ['not_above', `must be greater than ${NUMBER}`, 'limit'],
  ['not_below', `must be less than ${NUMBER}`, 'limit'],
  ['too_short', `must have at least ${NUMBER} characters?`, 'min'],
  ['too_long', `must have at most ${NUMBER} characters?`, 'max'],
  ['too_many_decimals', `must have at most ${NUMBER} decimals?(?: in [A-Z]{3})?`, 'max'],
  ['too_many_digits', `must have at most ${NUMBER} significant digits`, 'max'],
  ['too_few', `must have at least ${NUMBER} [a-z]+`, 'min'],
  ['too_many', `must have at most ${NUMBER} [a-z]+`, 'max'],
  ['not_a_date', '(?:must be|accepts) a date YYYY-MM-DD(?:,.*)?'],
  ['not_a_date', 'must be an ISO 8601 date or date-time'],
  ['no_such_day', 'is not a day of the calendar'],
  ['too_early', String.raw`must not be before (\d{4}-\d{2}-\d{2})`, 'date'],
  ['in_future', 'must not be in the future'],
  ['too_late', String.raw`must not be after [A-Za-z.]+, (\d{4}-\d{2}-\d{2})`, 'date'],
  ['not_after', String.raw`must be after (\d{4}-\d{2}-\d{2})`, 'date'],
  ['not_an_email', 'must be an email address'],
  ['not_a_url', '(?:must be a URL|accepts an https(?:://)? (?:address|URL))'],
  ['not_an_option', '(?:must be one of|accepts) ([a-z0-9_-]+(?:, [a-z0-9_-]+)+)', 'values'],
  ['taken', 'another [a-z ]+ has it already'],
];

const MATCHERS = PROBLEMS.map(([code, text, ...params]) => ({ code, params, pattern: new RegExp(`^(?:${text})$`) }));

/** The code of a problem; null for one that only its text describes. */
export function identifyProblem(problem: string): ProblemCode | null {
  for (const { code, params, pattern } of MATCHERS) {
    const match = pattern.exec(problem);
    if (match === null) continue;
    const values = params.map((name, index): [string, string] => [name, match[index + 1] ?? '']);
    return values.length === 0 ? { code } : { code, params: Object.fromEntries(values) };
  }
  return null;
}

/** Problems as responses list them: with their codes. */
export const presentProblems = (fields: readonly FieldProblem[]): (FieldProblem & Partial<ProblemCode>)[] =>
  fields.map((each) => ({ ...each, ...identifyProblem(each.problem) }));

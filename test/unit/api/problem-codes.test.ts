import { z } from 'zod';
import { renderBusinessError, renderIdentityError } from '../../../api/http/errors';
import { identifyProblem } from '../../../api/http/problem-codes';
import { parsePart } from '../../../api/http/validation';
import { line, percent, unitPrice } from '../../../api/business/fields';
import { trimmedText } from '../../../api/http/text';
import { readCalendarDate } from '../../../domain/business/calendar';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import de from '../../../web/console/locales/de/common.json';

const findProblem = (schema: z.ZodType, value: unknown): string => {
  const problems: FieldProblem[] = [];
  parsePart(schema, value, 'field', problems);
  return problems[0]?.problem ?? '';
};

const readDateProblem = (value: string): string => {
  const reading = readCalendarDate(value, 'UTC');
  return 'problem' in reading ? reading.problem : '';
};

test.each<[string, string, object | undefined]>([
  [findProblem(z.string(), undefined), 'required', undefined],
  [findProblem(unitPrice, undefined), 'required', undefined],
  ['is required: what the person agreed to', 'required', undefined],
  [findProblem(trimmedText(5), ' '), 'empty', undefined],
  [findProblem(line(5), 'abcdef'), 'too_long', { max: '5' }],
  [findProblem(z.string().max(5), 'abcdef'), 'too_long', { max: '5' }],
  [findProblem(z.string().min(8), 'a'), 'too_short', { min: '8' }],
  [findProblem(z.array(z.string()).max(2), ['', '', '']), 'too_many', { max: '2' }],
  [findProblem(z.array(z.string()).min(2), []), 'too_few', { min: '2' }],
  [findProblem(z.number(), 'x'), 'not_a_number', undefined],
  [findProblem(unitPrice, ''), 'not_a_number', undefined],
  [findProblem(unitPrice, 0.123_456_78), 'too_many_decimals', { max: '6' }],
  [findProblem(percent, 101), 'too_high', { max: '100' }],
  [findProblem(z.number().positive(), 0), 'not_above', { limit: '0' }],
  [findProblem(z.int(), 1.5), 'not_a_whole_number', undefined],
  [findProblem(z.number().max(-1.5), 3), 'too_high', { max: '-1.5' }],
  ['accepts a whole number 1–100', 'out_of_range', { min: '1', max: '100' }],
  ['must be a whole number from 0 to 100', 'out_of_range', { min: '0', max: '100' }],
  [findProblem(z.iso.date(), 'x'), 'not_a_date', undefined],
  [readDateProblem('yesterday'), 'not_a_date', undefined],
  [readDateProblem('2026-02-30'), 'no_such_day', undefined],
  ['must not be before 2025-03-01', 'too_early', { date: '2025-03-01' }],
  ['must not be in the future', 'in_future', undefined],
  ['must not be after dateTo, 2025-03-01', 'too_late', { date: '2025-03-01' }],
  ['must be after 2025-03-01', 'not_after', { date: '2025-03-01' }],
  ['must be at most 10.5 EUR', 'too_high', { max: '10.5' }],
  [findProblem(z.email(), 'x'), 'not_an_email', undefined],
  [findProblem(z.url(), 'x'), 'not_a_url', undefined],
  [findProblem(z.enum(['a', 'b_c']), 'x'), 'not_an_option', { values: 'a, b_c' }],
  ['another product category has it already', 'taken', undefined],
])('the problem "%s" has the code %s, which the console knows', (problem, code, params) => {
  expect(identifyProblem(problem)).toEqual(params === undefined ? { code } : { code, params });
  expect(de.problems).toHaveProperty(code);
});

test.each([
  'is not a tax rate of the company',
  'must not be before validFrom, 2025-03-01',
  'does not have the accepted form',
])('the problem "%s" has no code: its text says more', (problem) => expect(identifyProblem(problem)).toBeNull());

test('both APIs answer the codes of fields in details.fields', () => {
  const fields = [{ field: 'name', problem: 'is required', code: 'required' }];
  const error = invalidFieldError('name', 'is required');
  expect(renderIdentityError(error, 'req_1')).toMatchObject({ error: { details: { fields } } });
  expect(renderBusinessError(error, 'req_1')).toMatchObject({ errors: ['name: is required'], details: { fields } });
  expect(renderBusinessError(conflictError('busy', 'Busy.'), 'req_1')).not.toHaveProperty('details');
});

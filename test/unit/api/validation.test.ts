import { z } from 'zod';
import { businessRoutes } from '../../../api/business';
import type { Route } from '../../../api/http/route';
import { buildCommaList } from '../../../api/http/comma-list';
import { parsePart, parseQuery } from '../../../api/http/validation';
import { documentedIdentityRoutes } from '../../../api/identity';
import type { FieldProblem } from '../../../domain/errors';

const parse = (schema: z.ZodType, value: unknown): string[] => {
  const problems: FieldProblem[] = [];
  parsePart(schema, value, 'body', problems);
  return problems.map(({ field, problem }) => `${field}: ${problem}`);
};

/** Words of the validation library, and the beginning of a regular expression. */
const FOREIGN_WORDS =
  /\bexpected (one|\w+ to|string|number|int|boolean|array|object|record)|\breceived \w|\binvalid\b|too (small|big)|unrecognized|\bNaN\b|\/\^|undefined/i;

const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  1.5,
  true,
  'x',
  '',
  'x'.repeat(70_000),
  [],
  [null],
  {},
];

/** Every request schema of a route with the values that it must reject in words. */
function listMessages({ params, query, body }: Route): string[] {
  return [params, query, body].flatMap((schema) => {
    if (!(schema instanceof z.ZodObject)) return schema === undefined ? [] : parse(schema, 5);
    const names = Object.keys(schema.shape);
    const wrong = names.flatMap((name) => WRONG_VALUES.map((value) => ({ [name]: value })));
    return [5, null, { unknownField: 1 }, ...wrong].flatMap((value) => parse(schema, value));
  });
}

test.each(
  [...businessRoutes, ...documentedIdentityRoutes].map((route) => [`${route.method} ${route.path}`, route] as const),
)('every message about a field of %s is in the words of the API', (_name, route) => {
  for (const message of new Set(listMessages(route))) expect(message).not.toMatch(FOREIGN_WORDS);
});

test('an absent field is required, whatever its own message says', () => {
  const schema = z.strictObject({ name: z.string({ error: 'must be a string' }), kind: z.enum(['a', 'b']) });
  expect(parse(schema, {})).toEqual(['name: is required', 'kind: is required']);
  expect(parse(schema, { name: 5, kind: 'c' })).toEqual(['name: must be a string', 'kind: must be one of a, b']);
});

test('a repeated query parameter must be given once, unless it takes several values', () => {
  const schema = z.strictObject({
    limit: z.coerce.number({ error: 'accepts a whole number' }).optional(),
    search: z.string().optional(),
    status: buildCommaList(['open', 'done']).optional(),
  });
  const parseProblems = (query: object): string[] => {
    const problems: FieldProblem[] = [];
    parseQuery(schema, query, problems);
    return problems.map(({ field, problem }) => `${field}: ${problem}`);
  };
  expect(parseProblems({ limit: ['1', '2'], search: ['a', 'b'] })).toEqual([
    'limit: must be given once',
    'search: must be given once',
  ]);
  expect(parseProblems({ limit: ['x', 'y'], search: 'a' })).toEqual(['limit: accepts a whole number']);
  expect(parseProblems({ status: ['open', 'closed'] })).toEqual(['status: accepts, separated by commas: open, done']);
  expect(parseProblems({ toString: ['a', 'b'] })).toEqual([
    'toString: is not a known field; accepted: limit, search, status',
  ]);
  expect(parseQuery(schema, { status: ['open', 'done,open'] }, [])).toEqual({ status: ['open', 'done', 'open'] });
});

test('a mistyped field is answered with the accepted ones, also within an object', () => {
  const schema = z.strictObject({
    name: z.string().optional(),
    address: z.strictObject({ city: z.string() }).optional(),
  });
  expect(parse(schema, { nmae: 'A', address: { city: 'B', town: 'C' } })).toEqual([
    'address.town: is not a known field; accepted: city',
    'nmae: is not a known field; accepted: name, address',
  ]);
});

import fc from 'fast-check';
import { RULE_FIELDS, findRuleField } from '../../../../domain/identity/sessions/rules/fields';
import {
  evaluateComparison,
  OPERATORS_BY_TYPE,
  RULE_OPERATORS,
} from '../../../../domain/identity/sessions/rules/operators';
import type { RuleOperator, RuleValue } from '../../../../domain/identity/sessions/rules/operators';
import { findDecidingRule } from '../../../../domain/identity/sessions/rules/rule';
import type { Rule } from '../../../../domain/identity/sessions/rules/rule';
import type { RuleSubject } from '../../../../domain/identity/sessions/rules/subject';
import { isPattern, matchesPattern } from '../../../../lib/patterns';

const buildSubject = (
  session: Partial<RuleSubject['session']> = {},
  risks: RuleSubject['risks'] = [],
): RuleSubject => ({
  session: { externalId: null, language: null, country: null, metadata: null, contact: null, attempts: 0, ...session },
  results: {},
  risks,
});

const holdsWith = (
  operator: RuleOperator,
  fact: string | number | boolean | string[] | undefined,
  value?: RuleValue,
): boolean => evaluateComparison(operator, fact, value, matchesPattern);

describe('an operator', () => {
  test.each<[RuleOperator, string | number | boolean | string[], RuleValue, boolean]>([
    ['equals', 'FRA', 'fra', true],
    ['equals', 18, 18, true],
    ['equals', 18, '18', false],
    ['equals', true, true, true],
    ['not_equals', 'FRA', 'DEU', true],
    ['in', 'FRA', ['DEU', 'FRA'], true],
    ['not_in', 'FRA', ['DEU', 'FRA'], false],
    ['in', ['no_face', 'image_dark'], ['image_dark'], true],
    ['contains', 'Anne-Marie', 'marie', true],
    ['contains', ['no_face'], 'no_face', true],
    ['contains', ['no_face'], 'face', false],
    ['not_contains', ['no_face'], 'image_dark', true],
    ['not_contains', 5, 'x', false],
    ['starts_with', '+3361', '+33', true],
    ['ends_with', 'ana@example.org', '@EXAMPLE.ORG', true],
    ['matches', 'AB123456', '^[A-Z]{2}\\d{6}$', true],
    ['matches', 'ab123456', '^[A-Z]{2}\\d{6}$', false],
    ['greater', 5, 4, true],
    ['greater', 4, 4, false],
    ['greater_or_equal', 4, 4, true],
    ['less', '1990-05-01', '1990-05-02', true],
    ['less_or_equal', '1990-05-02', '1990-05-02', true],
    ['less', '1990-XX-XX', '1991-01-01', false],
    ['greater', '5', 4, false],
  ])('%s of %j and %j is %s', (operator, fact, value, expected) => {
    expect(holdsWith(operator, fact, value)).toBe(expected);
  });

  test('is false for a field without a value, except not_exists', () => {
    for (const operator of RULE_OPERATORS) {
      expect(holdsWith(operator, undefined, operator.endsWith('in') ? ['x'] : 'x')).toBe(operator === 'not_exists');
    }
    expect(holdsWith('exists', [])).toBe(false);
    expect(holdsWith('exists', 0)).toBe(true);
  });

  test('and its negation never both hold', () => {
    const pairs = [
      ['equals', 'not_equals'],
      ['in', 'not_in'],
      ['contains', 'not_contains'],
      ['greater', 'less_or_equal'],
      ['less', 'greater_or_equal'],
      ['exists', 'not_exists'],
    ] as const;
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const fact = fc.option(fc.oneof(scalar, fc.array(fc.string())), { nil: undefined });
    fc.assert(
      fc.property(fact, scalar, fc.constantFrom(...pairs), (value, other, [one, opposite]) => {
        expect(holdsWith(one, value, other) && holdsWith(opposite, value, other)).toBe(false);
      }),
    );
  });
});

describe('fields', () => {
  test('of features that did not run have no value', () => {
    const values = Object.entries(RULE_FIELDS).map(([name, field]) => [name, field.read(buildSubject()) ?? undefined]);
    expect(Object.fromEntries(values)).toMatchObject({ 'document.age': undefined, 'liveness.score': undefined });
    for (const [name, value] of values)
      if (name !== 'session.attempts' && name !== 'risks') expect(value).toBeUndefined();
  });

  test('have a type with operators', () => {
    for (const { type } of Object.values(RULE_FIELDS)) expect(OPERATORS_BY_TYPE[type].length).toBeGreaterThan(3);
  });

  test('of metadata read nested objects, but no inherited properties', () => {
    const metadata = { amount: 5, order: { country: 'FRA', tags: ['a', 'b'] }, list: [1] };
    const read = (path: string) => findRuleField(`session.metadata.${path}`)?.read(buildSubject({ metadata }));
    expect(read('amount')).toBe(5);
    expect(read('order.country')).toBe('FRA');
    expect(read('order.tags')).toEqual(['a', 'b']);
    expect([read('order'), read('list'), read('absent.deep'), read('constructor.name'), read('__proto__')]).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(findRuleField('session.metadata.')).toBeUndefined();
    expect(findRuleField('constructor')).toBeUndefined();
  });
});

describe('patterns', () => {
  test.each(['(?=a)b', '(a)\\1', '[', 'a{1001}', '((a{1,99}){99}){99}', 'a'.repeat(201), '(\\pL{0,30}){33}'])(
    'refuse %s',
    (pattern) => expect(isPattern(pattern)).toBe(false),
  );

  test('take linear time where a backtracking engine takes exponential time', () => {
    const started = performance.now();
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(.*a){12}']) {
      expect(isPattern(pattern)).toBe(true);
      expect(matchesPattern(pattern, `${'a'.repeat(998)}!`)).toBe(pattern === '(.*a){12}');
    }
    expect(performance.now() - started).toBeLessThan(2000);
    expect(matchesPattern('a', 'a'.repeat(1001))).toBe(false);
  });
});

describe('the rule that decides', () => {
  const rule = (id: string, status: Rule['status'], holdsAlways = true): Rule => ({
    id,
    field: 'risks',
    operator: holdsAlways ? 'not_exists' : 'exists',
    status,
  });
  const deciding = (rules: Rule[], status: Rule['status'], approvable = true): string | undefined =>
    findDecidingRule(rules, { status, approvable }, buildSubject(), matchesPattern)?.id;

  test('is the first that holds', () => {
    expect(deciding([rule('a', 'declined', false), rule('b', 'in_review'), rule('c', 'declined')], 'approved')).toBe(
      'b',
    );
    expect(deciding([rule('a', 'declined', false)], 'approved')).toBeUndefined();
  });

  test('approves in spite of a doubt, but never with a finding or a step that did not pass', () => {
    const rules = [rule('kind', 'approved'), rule('strict', 'declined')];
    expect(deciding(rules, 'in_review')).toBe('kind');
    expect(deciding(rules, 'approved')).toBe('kind');
    expect(deciding(rules, 'in_review', false)).toBe('strict');
    expect(deciding(rules, 'declined')).toBe('strict');
  });

  test('may send a declined session to review', () => {
    expect(deciding([rule('look', 'in_review')], 'declined', false)).toBe('look');
  });
});

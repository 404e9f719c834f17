import fc from 'fast-check';
import {
  AMOUNT_RULE,
  Decimal,
  EXCHANGE_RATE_RULE,
  MAX_AMOUNT,
  PERCENT_RULE,
  QUANTITY_RULE,
  readDecimal,
  round,
  allocateByLargestRemainder,
  sum,
  toJsonNumber,
  UNIT_PRICE_RULE,
} from '../../../domain/business/decimal';
import type { DecimalRule } from '../../../domain/business/decimal';

const parseDecimal = (json: string, rule: DecimalRule) => readDecimal(JSON.parse(json), rule);
const cents = fc.integer({ min: 0, max: 99_999_999_999_999 }).map((value) => new Decimal(value).div(100));

describe('reading decimals from JSON', () => {
  test.each([
    ['0.1', '0.1'],
    ['1e-6', '0.000001'],
    ['5', '5'],
    ['999999999999.99', '999999999999.99'],
    ['1.10', '1.1'],
  ])('%s is read by its shortest form', (json, expected) => {
    const reading = parseDecimal(json, UNIT_PRICE_RULE);
    expect('value' in reading && reading.value.toFixed()).toBe(expected);
  });

  test.each(['1e400', '-1e400', '-0', '"5"', 'null', 'true', '[1]', '{}'])('%s is rejected', (json) => {
    expect(parseDecimal(json, UNIT_PRICE_RULE)).toHaveProperty('problem');
  });

  test.each([
    ['-1', UNIT_PRICE_RULE, 'at least 0'],
    ['0', QUANTITY_RULE, 'greater than 0'],
    ['1.1234567', QUANTITY_RULE, 'at most 6 decimals'],
    ['1.23456', PERCENT_RULE, 'at most 4 decimals'],
    ['100.01', PERCENT_RULE, 'at most 100'],
    ['1000000000000', AMOUNT_RULE, 'at most 999999999999.99'],
    ['123456789012.345678', UNIT_PRICE_RULE, 'at most 15 significant digits'],
    ['1.2345678901', EXCHANGE_RATE_RULE, 'at most 10 significant digits'],
  ])('%s outside the rule is refused by name', (json, rule, text) => {
    const reading = parseDecimal(json, rule);
    expect('problem' in reading && reading.problem).toContain(text);
  });

  test('every accepted amount survives serialisation and parsing', () => {
    fc.assert(
      fc.property(cents, (value) => {
        const again = readDecimal(JSON.parse(JSON.stringify(toJsonNumber(value))), AMOUNT_RULE);
        expect('value' in again && again.value.eq(value)).toBe(true);
      }),
    );
  });
});

describe('rounding', () => {
  test.each([
    ['2.345', 2, '2.35'],
    ['-2.345', 2, '-2.35'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.0005', 3, '1.001'],
    ['1.00499999999999', 2, '1'],
  ])('%s to %d decimals is %s', (value, decimals, expected) => {
    expect(round(new Decimal(value), decimals).toFixed()).toBe(expected);
  });

  test('the largest amount has 14 digits and is exact as a double', () => {
    expect(String(toJsonNumber(MAX_AMOUNT))).toBe('999999999999.99');
  });
});

describe('shares by largest remainder', () => {
  test('10.00 over three is 3.34, 3.33, 3.33', () => {
    const third = new Decimal(10).div(3);
    const shares = allocateByLargestRemainder(new Decimal(10), [third, third, third], 2);
    expect(shares.map((share) => share.toFixed(2))).toEqual(['3.34', '3.33', '3.33']);
  });

  test('shares add up to the total and differ from the ideal by less than one unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(0, 2, 3),
        (millionths, decimals) => {
          const ideals = millionths.map((value) => new Decimal(value).div(10_007));
          const total = round(sum(ideals), decimals);
          const shares = allocateByLargestRemainder(total, ideals, decimals);
          expect(sum(shares).eq(total)).toBe(true);
          const unit = new Decimal(10).pow(-decimals);
          shares.forEach((share, index) => {
            expect(
              share
                .minus(ideals[index] ?? 0)
                .abs()
                .lte(unit),
            ).toBe(true);
          });
        },
      ),
    );
  });
});

import { Decimal } from '../../../../domain/business/decimal';
import {
  computeBillDifferences,
  computeRoundingTolerance,
  findOverbilling,
} from '../../../../domain/business/purchasing/bill-matching';
import type { MatchedLine } from '../../../../domain/business/purchasing/bill-matching';

const decimal = (value: number): Decimal => new Decimal(value);
const line = (productId: number | null, quantity: number, net: number): MatchedLine => ({
  productId,
  quantity: decimal(quantity),
  net: decimal(net),
});
const SERVICE = 9;
const listBeyond = (billed: MatchedLine[], received: MatchedLine[], tolerance = 0) =>
  findOverbilling(billed, received, (id) => id !== SERVICE, decimal(tolerance)).map(({ productId, maxQuantity }) => [
    productId,
    maxQuantity.toNumber(),
  ]);
const RECEIVED = [line(1, 6, 24), line(1, 4, 16), line(2, 5, 50)];

describe('a bill charges more than was received', () => {
  test.each<[string, MatchedLine[], number, unknown[]]>([
    ['with the same quantities: no', [line(1, 10, 40), line(2, 5, 50)], 0, []],
    ['with less: no', [line(1, 3, 12)], 0, []],
    ['in several lines of one product', [line(1, 10, 40), line(1, 1, 4)], 0, [[1, 10]]],
    [
      'of two products',
      [line(1, 20, 80), line(2, 6, 60)],
      0,
      [
        [1, 10],
        [2, 5],
      ],
    ],
    ['within the tolerance: no', [line(1, 11, 44)], 10, []],
    ['beyond the tolerance', [line(1, 11.5, 46)], 10, [[1, 11]]],
    ['of goods that never arrived', [line(3, 1, 1)], 0, [[3, 0]]],
    ['of a service that was not ordered: no', [line(1, 10, 40), line(SERVICE, 1, 5)], 0, []],
    ['with freight in a line without a product: no', [line(1, 10, 40), line(null, 30, 5)], 0, []],
    ['if no line names a product, in total', [line(null, 16, 90)], 0, [[null, 15]]],
    ['if no line names a product, within the total: no', [line(null, 10, 40), line(null, 5, 50)], 0, []],
  ])('%s', (_name, billed, tolerance, expected) => {
    expect(listBeyond(billed, RECEIVED, tolerance)).toEqual(expected);
  });
});

describe('the difference between a bill and its receipts', () => {
  const compare = (billed: MatchedLine[], billBase: number, rate = 1, receivedBase = 90) => {
    const bill = { lines: billed, base: decimal(billBase), exchangeRate: decimal(rate) };
    const parts = computeBillDifferences(bill, { lines: RECEIVED, base: decimal(receivedBase) }, 2);
    return [parts.price, parts.quantity, parts.exchange].map(Number);
  };

  test.each<[string, number[], number[]]>([
    ['price', compare([line(1, 10, 45), line(2, 5, 50)], 95), [5, 0, 0]],
    ['quantity, at the price of the receipt', compare([line(1, 8, 32), line(2, 5, 50)], 82), [0, -8, 0]],
    ['price and quantity', compare([line(1, 8, 40), line(2, 5, 50)], 90), [8, -8, 0]],
    ['exchange rate alone', compare([line(1, 10, 40), line(2, 5, 50)], 99, 1.1), [0, 0, 9]],
    ['price and exchange rate', compare([line(1, 10, 50), line(2, 5, 50)], 110, 1.1), [11, 0, 9]],
    ['a charge without a product', compare([line(null, 1, 7), line(1, 10, 40), line(2, 5, 50)], 97), [7, 0, 0]],
  ])('has the part %s', (_name, parts, expected) => {
    expect(parts).toEqual(expected);
  });
});

test('rounding is at most five of the smallest units, or one per line', () => {
  const tolerances = [computeRoundingTolerance(1, 2), computeRoundingTolerance(12, 2), computeRoundingTolerance(2, 0)];
  expect(tolerances.map(Number)).toEqual([0.05, 0.12, 5]);
});

import fc from 'fast-check';
import { computeAging, getAgingBucket } from '../../../../domain/business/payments/aging';
import { Decimal, round, sum } from '../../../../domain/business/decimal';
import { allocateOldestFirst, computeRelievedBase } from '../../../../domain/business/payments/settlement';
import type { OpenAmounts } from '../../../../domain/business/payments/settlement';

const buildItem = (original: string, originalBase: string): OpenAmounts => ({
  original: new Decimal(original),
  originalBase: new Decimal(originalBase),
  open: new Decimal(original),
  openBase: new Decimal(originalBase),
});

/** Settles amounts one after another and returns the reductions of the base amount. */
function settleAll(start: OpenAmounts, takings: readonly Decimal[], decimals = 2): Decimal[] {
  let state = start;
  return takings.map((taken) => {
    const base = computeRelievedBase(state, taken, decimals);
    state = { ...state, open: state.open.minus(taken), openBase: state.openBase.minus(base) };
    return base;
  });
}

describe('the base amount of a settlement', () => {
  test('of half of USD 100.00 at 0.90 is 45.00, twice', () => {
    const halves = settleAll(buildItem('100', '90'), [new Decimal(50), new Decimal(50)]);
    expect(halves.map(String)).toEqual(['45', '45']);
  });

  test('is the cumulative share: 10.00 in thirds is 3.33, 3.34 and 3.33', () => {
    const thirds = settleAll(buildItem('3', '10'), [new Decimal(1), new Decimal(1), new Decimal(1)]);
    expect(thirds.map((base) => base.toFixed(2))).toEqual(['3.33', '3.34', '3.33']);
  });

  test('adds up to the posted amount and is never negative, for any parts', () => {
    const cents = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), cents, (parts, base) => {
        const takings = parts.map((part) => new Decimal(part).div(100));
        const start = buildItem(sum(takings).toString(), new Decimal(base).div(100).toString());
        const relieved = settleAll(start, takings);
        expect(sum(relieved).eq(start.originalBase)).toBe(true);
        expect(relieved.every((each) => each.gte(0) && each.eq(round(each, 2)))).toBe(true);
      }),
    );
  });

  test('is not computed for more than the open amount', () => {
    expect(() => computeRelievedBase(buildItem('10', '10'), new Decimal('10.01'), 2)).toThrow(RangeError);
  });
});

describe('a payment without allocations', () => {
  const documents = [
    { id: 3, dueDate: '2026-02-01', open: new Decimal(30) },
    { id: 1, dueDate: '2026-03-01', open: new Decimal(10) },
    { id: 2, dueDate: '2026-02-01', open: new Decimal(20) },
  ];

  test('settles the oldest due first, then the lower id; the rest remains', () => {
    const shares = allocateOldestFirst(new Decimal(55), documents);
    expect(shares.map(({ id, amount }) => [id, amount.toNumber()])).toEqual([
      [2, 20],
      [3, 30],
      [1, 5],
    ]);
    expect(sum(allocateOldestFirst(new Decimal(100), documents).map(({ amount }) => amount)).toNumber()).toBe(60);
  });
});

describe('aging', () => {
  test.each([
    ['2026-03-31', 'current'],
    ['2026-04-05', 'current'],
    ['2026-03-30', 'days1to30'],
    ['2026-03-01', 'days1to30'],
    ['2026-02-28', 'days31to60'],
    ['2026-01-30', 'days31to60'],
    ['2026-01-29', 'days61to90'],
    ['2025-12-31', 'days61to90'],
    ['2025-12-30', 'over90'],
  ])('something due on %s is %s on 2026-03-31', (dueDate, bucket) => {
    expect(getAgingBucket(dueDate, '2026-03-31')).toBe(bucket);
  });

  test('the net is the sum of the buckets less credit', () => {
    const of = (dueDate: string, amount: number) => ({
      dueDate,
      amount: new Decimal(amount),
      amountBase: new Decimal(amount),
    });
    const { amounts } = computeAging([of('2026-03-31', 10), of('2026-01-01', 5), of('2026-03-01', -4)], '2026-03-31');
    expect([amounts.current, amounts.days61to90, amounts.unappliedCredit, amounts.net].map(Number)).toEqual([
      10, 5, 4, 11,
    ]);
  });
});

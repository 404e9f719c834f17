import * as fc from 'fast-check';
import { estimatePercentile, MAX_RELATIVE_ERROR, RANGES_PER_E } from '../../../../domain/platform/statistics/durations';
import { resolvePeriod } from '../../../../domain/platform/statistics/period';
import { QUARTER_HOUR_MS, splitIntoUtcDays } from '../../../../domain/platform/statistics/quarter-hours';
import { FigureCache } from '../../../../services/platform/statistics/figure-cache';

const NOW = new Date('2026-11-22T12:00:00Z');

describe('a period', () => {
  test('without bounds has the 30 days that end today', () => {
    const { from, to, days, end } = resolvePeriod({ timeZone: 'UTC' }, NOW);
    expect([from, to, days.length, end.toISOString()]).toEqual([
      '2026-10-24',
      '2026-11-22',
      30,
      '2026-11-23T00:00:00.000Z',
    ]);
  });

  test('has whole days across a change of clocks', () => {
    const period = resolvePeriod({ from: '2026-10-24', to: '2026-10-26', timeZone: 'Europe/Berlin' }, NOW);
    expect(period.days).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    expect((period.end.getTime() - period.start.getTime()) / 3_600_000).toBe(73);
  });

  test('of 366 days is accepted, a longer one is not', () => {
    expect(resolvePeriod({ from: '2023-11-23', to: '2024-11-22', timeZone: 'UTC' }, NOW).days).toHaveLength(366);
    expect(() => resolvePeriod({ from: '2023-11-22', to: '2024-11-22', timeZone: 'UTC' }, NOW)).toThrow(/367 days/);
  });
});

describe('a span of time', () => {
  const toText = (span: { start: Date; end: Date }): string => `${span.start.toISOString()}/${span.end.toISOString()}`;
  const split = (start: string, end: string, limit = '2030-01-01T00:00:00Z') => {
    const { days, rest } = splitIntoUtcDays({ start: new Date(start), end: new Date(end) }, Date.parse(limit));
    return [days.map((day) => day.toISOString().slice(0, 10)), rest.map(toText)];
  };

  test('is divided into whole days in UTC and what is left of it before and after', () => {
    expect(split('2026-03-01T22:30:00Z', '2026-03-04T22:30:00Z')).toEqual([
      ['2026-03-02', '2026-03-03'],
      ['2026-03-01T22:30:00.000Z/2026-03-02T00:00:00.000Z', '2026-03-04T00:00:00.000Z/2026-03-04T22:30:00.000Z'],
    ]);
  });

  test('has no rest if it begins and ends at midnight, and only days that end by the limit', () => {
    expect(split('2026-03-01', '2026-03-03')).toEqual([['2026-03-01', '2026-03-02'], []]);
    expect(split('2026-03-01', '2026-03-03', '2026-03-02T12:00:00Z')).toEqual([
      ['2026-03-01'],
      ['2026-03-02T00:00:00.000Z/2026-03-03T00:00:00.000Z'],
    ]);
    expect(split('2026-03-01T22:30:00Z', '2026-03-02T22:30:00Z')).toEqual([
      [],
      ['2026-03-01T22:30:00.000Z/2026-03-02T22:30:00.000Z'],
    ]);
  });
});

test('days of every time zone begin with a quarter hour of UTC since 1980', () => {
  // The first of each month: between two of them, clocks change from one offset to the other.
  const firsts = [1980, 1995, 2026].flatMap((year) =>
    Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}-01`),
  );
  const others = Intl.supportedValuesOf('timeZone').flatMap((timeZone) =>
    firsts
      .filter((day) => resolvePeriod({ from: day, to: day, timeZone }, NOW).start.getTime() % QUARTER_HOUR_MS !== 0)
      .map((day) => `${timeZone} ${day}`),
  );
  expect(others).toEqual([]);
});

test('an estimated percentile is within its stated error of the exact one', () => {
  const seconds = fc.array(fc.double({ min: 1, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(seconds, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
      const sorted = [...values].sort((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const counts = values.map((value) => ({ range: Math.floor(RANGES_PER_E * Math.log(value)), count: 1 }));
      const estimate = estimatePercentile(counts, share) ?? 0;
      expect(Math.abs(estimate - exact) / exact).toBeLessThanOrEqual(MAX_RELATIVE_ERROR);
    }),
  );
  expect(estimatePercentile([], 0.5)).toBeNull();
});

test('figures that are computed at the moment are not computed a second time, and a failure is not kept', async () => {
  const cache = new FigureCache();
  let computed = 0;
  const compute = () => {
    computed += 1;
    return computed === 1 ? Promise.reject(new Error('down')) : Promise.resolve({ computed });
  };
  await Promise.allSettled([cache.get('a', compute), cache.get('a', compute)]);
  expect(computed).toBe(1);
  expect(await Promise.all([cache.get('a', compute), cache.get('a', compute)])).toEqual([
    { computed: 2 },
    { computed: 2 },
  ]);
  expect(await cache.get('a', compute)).toEqual({ computed: 3 });
});

import * as fc from 'fast-check';
import {
  MAX_ATTEMPTS,
  parseRetryAfter,
  RETRY_DELAYS_SECONDS,
  computeRetryDelaySeconds,
} from '../../../../domain/platform/webhooks/retry-schedule';
import { DAY_SECONDS } from '../../../../domain/durations';

const attempts = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('retry schedule', () => {
  test('ten attempts: immediately, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    expect(MAX_ATTEMPTS).toBe(10);
    const delays = RETRY_DELAYS_SECONDS.map((_, index) => computeRetryDelaySeconds(index + 1, 0));
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  test('there is no attempt after the tenth failure', () => {
    expect(computeRetryDelaySeconds(10, 0)).toBeNull();
    expect(computeRetryDelaySeconds(10, 0, 60)).toBeNull();
  });

  test('jitter adds at most a tenth and never shortens the delay', () => {
    fc.assert(
      fc.property(attempts, random, (attempt, value) => {
        const scheduled = RETRY_DELAYS_SECONDS[attempt - 1] ?? NaN;
        const delay = computeRetryDelaySeconds(attempt, value) ?? NaN;
        expect(delay).toBeGreaterThanOrEqual(scheduled);
        expect(delay).toBeLessThanOrEqual(scheduled * 1.1 + 0.001);
      }),
    );
  });

  test('the delay is never shorter than Retry-After, up to 24 h', () => {
    fc.assert(
      fc.property(attempts, random, fc.integer({ min: 0, max: 10 * DAY_SECONDS }), (attempt, value, requested) => {
        const delay = computeRetryDelaySeconds(attempt, value, requested) ?? NaN;
        expect(delay).toBeGreaterThanOrEqual(Math.min(requested, DAY_SECONDS));
        expect(delay).toBeLessThanOrEqual(DAY_SECONDS * 1.1 + 0.001);
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  test.each([
    ['120', 120],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('%s means %d seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  test.each([
    [['5', '600'], 600],
    [['Thu, 01 Jan 2026 00:02:00 GMT', '5'], 120],
    [['soon', '60'], 60],
  ])('of several headers (%j) the longest valid delay counts', (headers, seconds) => {
    expect(parseRetryAfter(headers, now)).toBe(seconds);
  });

  test.each([
    [undefined],
    [[]],
    [['soon', '-1']],
    [''],
    ['-1'],
    ['1.5'],
    ['soon'],
    ['2026-01-02'],
    ['9999999999'],
    ['Monday, whenever'],
  ])('%s is no wish', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });
});

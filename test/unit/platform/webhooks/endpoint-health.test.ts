import * as fc from 'fast-check';
import {
  recordFailure,
  FAILING_LIMIT_MS,
  INCIDENT_GAP_MS,
  hasExceededFailureLimit,
} from '../../../../domain/platform/webhooks/endpoint-health';
import type { FailureRun } from '../../../../domain/platform/webhooks/endpoint-health';
import { RETRY_DELAYS_SECONDS, computeRetryDelaySeconds } from '../../../../domain/platform/webhooks/retry-schedule';
import { HOUR_MS } from '../../../../domain/durations';

const HEALTHY: FailureRun = { failingSince: null, lastFailureAt: null };
const START = Date.parse('2026-01-01T00:00:00Z');

const recordFailures = (hours: readonly number[]): FailureRun =>
  hours.reduce<FailureRun>((run, hour) => recordFailure(run, new Date(START + hour * HOUR_MS)), HEALTHY);

describe('endpoint health', () => {
  test('five days without a success reach the failure limit', () => {
    const days = [0, 24, 48, 72, 96];
    expect(hasExceededFailureLimit(recordFailures(days), new Date(START + 96 * HOUR_MS))).toBe(false);
    expect(hasExceededFailureLimit(recordFailures([...days, 120]), new Date(START + 120 * HOUR_MS))).toBe(true);
  });

  test('a failure long after the previous one begins a new run', () => {
    const run = recordFailures([0, 24, 24 + 200]);
    expect(run.failingSince).toEqual(new Date(START + 224 * HOUR_MS));
    expect(hasExceededFailureLimit(run, new Date(START + 224 * HOUR_MS))).toBe(false);
  });

  test('one delivery whose attempts all fail does not reach the failure limit', () => {
    let [run, at] = [HEALTHY, START];
    for (let attempt = 1; attempt <= RETRY_DELAYS_SECONDS.length + 1; attempt += 1) {
      run = recordFailure(run, new Date(at));
      expect(hasExceededFailureLimit(run, new Date(at))).toBe(false);
      at += (computeRetryDelaySeconds(attempt, 0.999) ?? 0) * 1000;
    }
  });

  test('failures within the gap belong to the same run', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: INCIDENT_GAP_MS }), { minLength: 1, maxLength: 30 }), (gaps) => {
        let at = START;
        let run = recordFailure(HEALTHY, new Date(at));
        for (const gap of gaps) {
          at += gap;
          run = recordFailure(run, new Date(at));
        }
        expect(run.failingSince).toEqual(new Date(START));
        expect(hasExceededFailureLimit(run, new Date(at))).toBe(at - START >= FAILING_LIMIT_MS);
      }),
    );
  });
});

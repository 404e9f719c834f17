import fc from 'fast-check';
import { addDays } from '../../../../domain/business/calendar';
import { findNextReminder, isPausedOn } from '../../../../domain/business/messages/reminder-rules';
import type { ReminderLevel, SentReminder } from '../../../../domain/business/messages/reminder-rules';
import { computeNextRun } from '../../../../services/business/messages/reminder-settings';

const levelsAfter = (...days: number[]): ReminderLevel[] =>
  days.map((daysAfterDue) => ({ daysAfterDue, fee: null, interestText: {} }));
const LEVELS = levelsAfter(7, 21, 35);
const DUE = '2026-01-31';

describe('the next reminder', () => {
  test('is the first level, its days after the due date', () => {
    expect(findNextReminder(LEVELS, DUE, [])).toEqual({ level: 1, day: '2026-02-07' });
  });

  test('keeps the days between two levels after a reminder that was sent late', () => {
    expect(findNextReminder(LEVELS, DUE, [{ level: 1, day: '2026-02-07' }])).toEqual({ level: 2, day: '2026-02-21' });
    expect(findNextReminder(LEVELS, DUE, [{ level: 1, day: '2026-06-01' }])).toEqual({ level: 2, day: '2026-06-15' });
  });

  test('is none after the last level, and none without levels', () => {
    expect(findNextReminder(LEVELS, DUE, [{ level: 3, day: '2026-03-07' }])).toBeNull();
    expect(findNextReminder([], DUE, [])).toBeNull();
  });

  test('for any schedule and delays, each level comes once, in order, and never before its day', () => {
    const schedule = fc
      .uniqueArray(fc.integer({ min: 1, max: 365 }), { minLength: 1, maxLength: 5 })
      .map((days) => [...days].sort((a, b) => a - b));
    fc.assert(
      fc.property(schedule, fc.array(fc.nat(40), { minLength: 5, maxLength: 5 }), (days, delays) => {
        const levels = levelsAfter(...days);
        const sent: SentReminder[] = [];
        for (
          let next = findNextReminder(levels, DUE, sent);
          next !== null;
          next = findNextReminder(levels, DUE, sent)
        ) {
          expect(next.level).toBe(sent.length + 1);
          expect(next.day >= addDays(DUE, days[next.level - 1] ?? NaN)).toBe(true);
          const last = sent.at(-1);
          const gap = (days[next.level - 1] ?? 0) - (days[next.level - 2] ?? 0);
          if (last !== undefined) expect(next.day >= addDays(last.day, gap)).toBe(true);
          sent.push({ level: next.level, day: addDays(next.day, delays[sent.length] ?? 0) });
        }
        expect(sent).toHaveLength(days.length);
      }),
    );
  });

  test('is held back through the last day of a pause', () => {
    expect(isPausedOn({ until: '2026-02-10' }, '2026-02-10')).toBe(true);
    expect(isPausedOn({ until: '2026-02-10' }, '2026-02-11')).toBe(false);
    expect(isPausedOn({ until: null }, '2099-01-01')).toBe(true);
  });
});

test.each([
  ['today, before the hour', 8, 'Europe/Berlin', '2026-07-01T05:59:00Z', '2026-07-01T06:00:00.000Z'],
  ['tomorrow, at the hour', 8, 'Europe/Berlin', '2026-07-01T06:00:00Z', '2026-07-02T06:00:00.000Z'],
  ['in a zone ahead of UTC', 0, 'Pacific/Auckland', '2026-07-01T11:59:59Z', '2026-07-01T12:00:00.000Z'],
])('the next run is %s', (_, hour, zone, now, expected) => {
  expect(computeNextRun(hour, zone, new Date(now)).toISOString()).toBe(expected);
});

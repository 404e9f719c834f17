import { addDays } from '../../../../domain/business/calendar';
import {
  changeTimeZone,
  getBusinessDayBounds,
  readPostedFrom,
  readPostedUntil,
  toBusinessDay,
} from '../../../../domain/business/settings/business-days';
import type { BusinessCalendar } from '../../../../domain/business/settings/business-days';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-01T00:30:00Z');
const atHour = (hour: number): Date => new Date(START + hour * HOUR_MS);

/** The calendar of a company that moves after these hours. */
function move(first: string, moves: readonly (readonly [hour: number, timeZone: string])[]): BusinessCalendar {
  let calendar: BusinessCalendar = { timeZone: first };
  for (const [hour, timeZone] of moves)
    calendar = { timeZone, ...changeTimeZone(calendar, toBusinessDay(calendar, atHour(hour)), atHour(hour)) };
  return calendar;
}

const CALENDARS: Record<string, BusinessCalendar> = {
  'no move': move('Europe/Berlin', []),
  'a move of 25 hours to the west and back': move('Pacific/Kiritimati', [
    [40, 'Pacific/Pago_Pago'],
    [90, 'Pacific/Kiritimati'],
  ]),
  'moves that follow each other within hours': move('Asia/Tokyo', [
    [30, 'America/New_York'],
    [31, 'Pacific/Auckland'],
    [32, 'America/Los_Angeles'],
    [100, 'Europe/London'],
  ]),
};

test.each(Object.entries(CALENDARS))(
  'with %s, days never go back, and each has the times between its bounds',
  (_, of) => {
    let latest = '';
    for (let hour = 0; hour < 24 * 10; hour += 1) {
      const at = atHour(hour);
      const day = toBusinessDay(of, at);
      expect(day >= latest).toBe(true);
      latest = day;
      const { from, until } = getBusinessDayBounds(of, day);
      expect([from <= at, at < until]).toEqual([true, true]);
      expect(getBusinessDayBounds(of, addDays(day, 1)).from).toEqual(until);
    }
  },
);

test('a later move does not change the day of an earlier time', () => {
  const before = move('Pacific/Kiritimati', []);
  const after = move('Pacific/Kiritimati', [[60, 'Pacific/Pago_Pago']]);
  for (let hour = 0; hour < 60; hour += 1)
    expect(toBusinessDay(after, atHour(hour))).toBe(toBusinessDay(before, atHour(hour)));
});

test('the time zone of before is not known for a company that moved before it was stored', () => {
  const calendar = { timeZone: 'UTC', earliestToday: '2026-03-05' };
  expect(toBusinessDay(calendar, atHour(0))).toBe('2026-03-01');
  expect(getBusinessDayBounds(calendar, '2026-03-01').from).toEqual(new Date('2026-03-01T00:00:00Z'));
});

test('filters of postings accept days of the company and times', () => {
  const calendar = move('Pacific/Kiritimati', [[48, 'UTC']]);
  expect(readPostedFrom('2026-03-02', calendar)).toEqual({ value: new Date('2026-03-01T10:00:00Z') });
  expect(readPostedUntil('2026-03-02', calendar)).toEqual({ value: new Date('2026-03-02T10:00:00Z') });
  expect(readPostedFrom('2026-03-02T10:00:00Z', calendar)).toEqual({ value: new Date('2026-03-02T10:00:00Z') });
  expect(readPostedUntil('yesterday', calendar)).toHaveProperty('problem');
});

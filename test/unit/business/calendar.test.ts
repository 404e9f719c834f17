import fc from 'fast-check';
import {
  addDays,
  toCalendarDate,
  getDayBounds,
  formatInstant,
  isCalendarDate,
  readCalendarDate,
  readLowerInstant,
  readUpperInstant,
} from '../../../domain/business/calendar';
import {
  computeDueDate,
  isPaymentTermsCode,
  PAYMENT_TERMS_CODES,
} from '../../../domain/business/payments/payment-terms';
import { HOUR_MS } from '../../../domain/durations';

const BERLIN = 'Europe/Berlin';

describe('calendar fields', () => {
  test.each([
    ['2026-02-28', '2026-02-28'],
    ['2024-02-29', '2024-02-29'],
    ['2026-06-30T23:30:00Z', '2026-07-01'],
    ['2026-06-30T23:30:00-02:00', '2026-07-01'],
    ['2026-06-30T23:30:00', '2026-06-30'],
    ['2026-06-30T23:30', '2026-06-30'],
  ])('%s sent to a company in Berlin is %s', (input, expected) => {
    expect(readCalendarDate(input, BERLIN)).toEqual({ value: expected });
  });

  test.each(['2026-02-29', '2026-13-01', '1899-12-31', '26-01-01', '2026-1-1', 'tomorrow', '', '2026-01-01T25:00Z'])(
    '%s is rejected',
    (input) => {
      expect(readCalendarDate(input, BERLIN)).toHaveProperty('problem');
    },
  );

  test.each([20260101, null, true, {}])('%p is rejected: dates are strings', (input) => {
    expect(readCalendarDate(input, BERLIN)).toHaveProperty('problem');
  });

  test('a local time that clocks skip is rejected; one that occurs twice means the first', () => {
    expect(readLowerInstant('2026-03-29T02:30:00', BERLIN)).toHaveProperty('problem');
    expect(readLowerInstant('2026-10-25T02:30:00', BERLIN)).toEqual({ value: new Date('2026-10-25T00:30:00Z') });
  });
});

describe('company days', () => {
  test('a dateTo day includes 23, 24 or 25 hours', () => {
    const hours = (day: string) => {
      const { from, until } = getDayBounds(day, BERLIN);
      return (until.getTime() - from.getTime()) / HOUR_MS;
    };
    expect([hours('2026-03-29'), hours('2026-06-01'), hours('2026-10-25')]).toEqual([23, 24, 25]);
    expect(readUpperInstant('2026-10-25', BERLIN)).toEqual({ value: new Date('2026-10-25T23:00:00Z') });
    expect(readLowerInstant('2026-10-25', BERLIN)).toEqual({ value: new Date('2026-10-24T22:00:00Z') });
  });

  test('a day whose midnight is skipped starts at its first time', () => {
    const { from, until } = getDayBounds('2018-11-04', 'America/Sao_Paulo');
    expect(from).toEqual(new Date('2018-11-04T03:00:00Z'));
    expect(until).toEqual(new Date('2018-11-05T02:00:00Z'));
  });

  test('the last day of the calendar has an end', () => {
    const { from, until } = getDayBounds('9999-12-31', BERLIN);
    expect([from.toISOString(), until.toISOString()]).toEqual(['9999-12-30T23:00:00.000Z', '9999-12-31T23:00:00.000Z']);
    expect(readUpperInstant('9999-12-31', 'UTC')).toEqual({ value: new Date('+010000-01-01T00:00:00Z') });
    expect(readCalendarDate('9999-12-31T23:30:00Z', BERLIN)).toEqual({ problem: 'is not a day of the calendar' });
  });

  test('every time is within the bounds of its day, and days follow each other without a gap', () => {
    const zones = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC');
    const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const day = toCalendarDate(instant, zone);
        const { from, until } = getDayBounds(day, zone);
        expect(from <= instant && instant < until).toBe(true);
        expect(getDayBounds(addDays(day, 1), zone).from).toEqual(until);
        expect(new Date(formatInstant(instant, zone))).toEqual(instant);
      }),
    );
  });

  test('times are formatted with the offset at that time', () => {
    expect(formatInstant(new Date('2026-01-01T12:00:00Z'), BERLIN)).toBe('2026-01-01T13:00:00.000+01:00');
    expect(formatInstant(new Date('2026-07-01T12:00:00Z'), BERLIN)).toBe('2026-07-01T14:00:00.000+02:00');
  });
});

describe('payment terms', () => {
  test.each([
    ['CASH', '2026-01-31', '2026-01-31'],
    ['NET15', '2026-01-31', '2026-02-15'],
    ['NET30', '2026-01-31', '2026-03-02'],
    ['NET60', '2023-12-31', '2024-02-29'],
    ['EOM', '2024-02-05', '2024-02-29'],
    ['NET30EOM', '2026-01-31', '2026-03-31'],
  ] as const)('%s from %s is due %s', (code, issued, due) => {
    expect(computeDueDate(issued, code)).toBe(due);
  });

  test('nothing is due before it is issued, and every due date is a day of the calendar', () => {
    const day = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('2000-01-01', days));
    fc.assert(
      fc.property(day, fc.constantFrom(...PAYMENT_TERMS_CODES), (issued, code) => {
        const due = computeDueDate(issued, code);
        expect(due >= issued).toBe(true);
        expect(isCalendarDate(due)).toBe(true);
      }),
    );
  });

  test.each(['NET31', 'cash', '', 'toString', '__proto__'])('%p is not a code', (code) => {
    expect(isPaymentTermsCode(code)).toBe(false);
  });
});

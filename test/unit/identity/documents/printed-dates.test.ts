import fc from 'fast-check';
import { parsePrintedDates } from '../../../../domain/identity/documents/printed-dates';
import { detectDateOrder, findIssueDate } from '../../../../domain/identity/documents/poa/dates';

const TODAY = '2026-06-20';

const line = (text: string) => ({ text, page: 0, left: 50, top: 100, right: 300, bottom: 110, confidence: 1 });

describe('dates that begin with their year', () => {
  test.each([
    ['2026-05-10 14:02', ['2026-05-10']],
    ['2026.06.15. 12:00', ['2026-06-15']],
    ['2026. 06. 15. 12:00', ['2026-06-15']],
    ['2026-06-01 - 2026-06-30', ['2026-06-01', '2026-06-30']],
    ['2026-06-01-2026-06-30', ['2026-06-01', '2026-06-30']],
    ['2026/06/15 12 MAY', ['2026-06-15']],
  ])('%s states no other date', (text, dates) => {
    expect(parsePrintedDates(text)).toEqual(dates);
    expect(parsePrintedDates(text, 'month-first')).toEqual(dates);
  });

  test('are read with whatever time or date follows them', () => {
    const dates = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const times = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const separators = fc.constantFrom('-', '/', '.');
    const between = fc.constantFrom(' ', ' - ', '. ', ', ');
    fc.assert(
      fc.property(dates, dates, times, separators, between, (date, other, time, separator, gap) => {
        const [first, second] = [date, other].map((one) => one.replaceAll('-', separator));
        expect(parsePrintedDates(`${first}${gap}${time}`)).toEqual([date]);
        expect(parsePrintedDates(`${first}${gap}${second}`)).toEqual([...new Set([date, other])]);
      }),
    );
  });

  test('do not take the number of a field or the dates before them with them', () => {
    expect(parsePrintedDates('3.1974-08-12')).toContain('1974-08-12');
    expect(parsePrintedDates('12-08-1974 - 01-02-2034').slice(0, 1)).toEqual(['1974-08-12']);
    expect(parsePrintedDates('12-08-1974 - 01-02-2034')).toContain('2034-02-01');
    expect(parsePrintedDates('1234/12.08.1974')).toContain('1974-08-12');
  });

  test('date a letter although a time or the end of a period follows', () => {
    expect(findIssueDate([line('Invoice date: 2026-05-10 14:02')], 'day-first', TODAY)).toBe('2026-05-10');
    expect(findIssueDate([line('2026.06.15. 12:00')], 'day-first', TODAY)).toBe('2026-06-15');
    expect(findIssueDate([line('2026-06-01 - 2026-06-30')], 'day-first', TODAY)).toBe('2026-06-01');
  });

  test('do not say which of day and month is first', () => {
    expect(detectDateOrder('2026-06-15-2026-06-30', null)).toBe('day-first');
  });
});

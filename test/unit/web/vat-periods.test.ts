import i18next from 'i18next';
import { formatPeriod, readPeriodDays } from '../../../web/console/business/accounting/vat-periods';

const year = { dateFrom: '2028-01-01', dateTo: '2028-12-31' };

test('the days of a month and of a quarter are those of the calendar, also in a leap year', () => {
  expect(readPeriodDays('2028-02', year)).toEqual({ dateFrom: '2028-02-01', dateTo: '2028-02-29' });
  expect(readPeriodDays('2028-Q4', year)).toEqual({ dateFrom: '2028-10-01', dateTo: '2028-12-31' });
});

test('days outside the report are left out', () => {
  const report = { dateFrom: '2028-01-10', dateTo: '2028-02-10' };
  expect(readPeriodDays('2028-01', report)).toEqual({ dateFrom: '2028-01-10', dateTo: '2028-01-31' });
  expect(readPeriodDays('2028-Q1', report)).toEqual(report);
  expect(readPeriodDays('2028-01-10/2028-02-10', report)).toEqual(report);
});

test('a period is named in the language of the console', async () => {
  await i18next.init({ lng: 'de' });
  expect(['2028-02', '2028-Q4', '2028-01-01/2028-12-31'].map((period) => formatPeriod(period, year))).toEqual([
    'Februar 2028',
    'Q4 2028',
    '01.01.2028 – 31.12.2028',
  ]);
});

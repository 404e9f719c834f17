import i18next from 'i18next';
import { formatMoney, formatMoneyBriefly, formatPercentRange, formatUnitPrice } from '../../../web/shared/format';

test('shares are one percentage if they are equal, and a range otherwise', async () => {
  await i18next.init({ lng: 'en' });
  expect(formatPercentRange(0.8, 0.8)).toBe('80%');
  expect(formatPercentRange(0.5, 0.75)).toBe('50% – 75%');
});

test('a unit price has the decimals of its currency at least, and six at most', async () => {
  await i18next.init({ lng: 'en' });
  expect(formatUnitPrice(189.9, 'EUR')).toBe('189.90');
  expect(formatUnitPrice(1250, 'EUR')).toBe('1,250.00');
  expect(formatUnitPrice(0.012345, 'EUR')).toBe('0.012345');
  expect(formatUnitPrice(1250, 'JPY')).toBe('1,250');
  expect(formatUnitPrice(1.5, 'KWD')).toBe('1.500');
});

test('an amount is rounded to its currency, and the price of one unit is not', async () => {
  await i18next.init({ lng: 'en' });
  expect(formatMoney(0.0042, 'EUR')).toBe('€0.00');
  expect(formatMoney(0.0042, 'EUR', true)).toBe('€0.0042');
  expect(formatMoney(1250, 'EUR', true)).toBe('€1,250.00');
  expect(formatMoney(1250, 'JPY', true)).toBe('¥1,250');
});

test('a tick of a chart is short and exact', async () => {
  await i18next.init({ lng: 'en' });
  expect([0, 250, 12_500, 1_250_000].map((amount) => formatMoneyBriefly(amount, 'EUR'))).toEqual([
    '€0',
    '€250',
    '€12.5K',
    '€1.25M',
  ]);
});

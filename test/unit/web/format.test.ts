import i18next from 'i18next';
import { CURRENCY_CODES, getCurrencyDecimals } from '../../../domain/business/currencies';
import { readInvoiceValues } from '../../../web/console/business/messages/invoice-placeholders';
import type { Invoice } from '../../../web/console/business/invoices/invoice-values';
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

const SAMPLES = { 0: '1,235', 2: '1,234.57', 3: '1,234.568' };

/** The digits of 1234.5678, rounded to the decimals of a currency. */
function getSample(currency: string): string {
  const decimals = getCurrencyDecimals(currency);
  return decimals === 0 || decimals === 2 ? SAMPLES[decimals] : SAMPLES[3];
}

test.each(CURRENCY_CODES)('amounts in %s have the decimals to which the API rounds them', async (currency) => {
  await i18next.init({ lng: 'en' });
  const decimals = getCurrencyDecimals(currency);
  expect(formatMoney(1234.5678, currency).replace(/^[^\d]+/, '')).toBe(getSample(currency));
  expect(formatMoney(1234, currency, true).replace(/^[^\d]+/, '')).toBe(
    decimals === 0 ? '1,234' : `1,234.${'0'.repeat(decimals)}`,
  );
  expect(formatUnitPrice(1234, currency)).toBe(decimals === 0 ? '1,234' : `1,234.${'0'.repeat(decimals)}`);
  expect(formatUnitPrice(0.012345, currency)).toBe('0.012345');
});

test.each(CURRENCY_CODES)('the preview of a message writes amounts in %s as the service does', (currencyCode) => {
  const invoice: Pick<
    Invoice,
    'language' | 'currencyCode' | 'customerName' | 'number' | 'issueDate' | 'dueDate' | 'grandTotal' | 'open'
  > = {
    language: 'en',
    currencyCode,
    customerName: 'Example Ltd',
    number: 'INV-1',
    issueDate: '2026-11-21',
    dueDate: '2026-12-21',
    grandTotal: 1234.5678,
    open: 1234.5678,
  };
  const { total, openAmount } = readInvoiceValues(invoice, 'Company', '');
  expect([total, openAmount].map((text) => text?.replace(/^[^\d]+/, ''))).toEqual([
    getSample(currencyCode),
    getSample(currencyCode),
  ]);
});

import i18next from 'i18next';
import { buildCurrencyOptions } from './currency-decimals';

type DateInput = string | number | Date;

/** A date and time in the user's language and time zone, such as `21 Nov 2026, 11:00`. */
export const formatDateTime = (value: DateInput): string =>
  new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));

/** A calendar day; one without a time (`2026-11-21`) is the same day in every time zone. */
export const formatDate = (value: DateInput): string =>
  new Intl.DateTimeFormat(i18next.language, {
    dateStyle: 'medium',
    ...(typeof value === 'string' && value.length === 10 ? { timeZone: 'UTC' } : {}),
  }).format(new Date(value));

/** A text that can be a whole day, which is written as one, such as a date of birth of which only the year is known. */
export const formatIfDay = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDate(text) : text);

/** A number with the separators of the user's language. */
export const formatNumber = (value: number | bigint, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(i18next.language, options).format(value);

/** A share from 0 to 1 as a percentage. */
export const formatPercent = (share: number, digits = 0): string =>
  formatNumber(share, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Shares from 0 to 1 as one percentage, or as a range of two. */
export function formatPercentRange(from: number, to: number): string {
  const format = new Intl.NumberFormat(i18next.language, { style: 'percent', maximumFractionDigits: 2 });
  // A range of equal percentages would be an approximate one, which browsers multiply by 100 twice.
  return from === to ? format.format(from) : format.formatRange(from, to);
}

/** Decimals that the API accepts in prices and costs of one unit. */
const UNIT_DECIMALS = 6;

/**
 * An amount with its currency; a decimal given as text is printed without rounding through a float.
 *
 * @param isUnit whether it is the price or cost of one unit, which may have more decimals than the currency
 */
export const formatMoney = (amount: number | `${number}`, currency: string, isUnit = false): string =>
  new Intl.NumberFormat(i18next.language, buildCurrencyOptions(currency, isUnit ? UNIT_DECIMALS : undefined)).format(
    amount,
  );

/** An amount with its currency for the ticks of a chart, where there is little room, such as `€12.5K`. */
export const formatMoneyBriefly = (amount: number, currency: string): string =>
  formatNumber(amount, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  });

/** A price of one unit: with the decimals of its currency at least and with up to the six that the API accepts. */
export function formatUnitPrice(price: number, currency: string): string {
  const { minimumFractionDigits, maximumFractionDigits } = buildCurrencyOptions(currency, UNIT_DECIMALS);
  return formatNumber(price, { minimumFractionDigits, maximumFractionDigits });
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago or ahead a time is, such as `3 hours ago`. */
export function formatRelative(value: DateInput, now = Date.now()): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(i18next.language, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

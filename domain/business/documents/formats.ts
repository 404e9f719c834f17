import { LRUCache } from 'lru-cache';
import { getCurrencyDecimals } from '../currencies';
import type { DayPeriod } from '../invoices/supply-dates';
import type { CalendarDate, DecimalString, PrintableDocument } from './printable-document';

/** Maximum number of decimals of prices, quantities and rates, which are printed without rounding. */
const MAX_DECIMALS = { unitPrice: 6, quantity: 6, percent: 4, rate: 10 } as const;

/** Formats the numbers and dates of one document for its locale. Numbers are never rounded. */
export interface Formats {
  /** Formats an amount in the document's currency without currency symbol: `1.234,50`. */
  amount(value: DecimalString): string;
  /** Formats an amount with its currency: `1.234,50 €`; another currency is formatted with its own decimals. */
  money(value: DecimalString, currencyCode?: string): string;
  unitPrice(value: DecimalString): string;
  quantity(value: DecimalString): string;
  /** Formats a percentage; 21 means 21 %. */
  percent(value: DecimalString): string;
  rate(value: DecimalString): string;
  /** `21 November 2026`: with the month as a word, day and month cannot be confused. */
  date(value: CalendarDate): string;
  /** `1–30 November 2026`; a period of one day is printed as that day. */
  period(value: DayPeriod): string;
}

const getDecimalSign = (format: Intl.NumberFormat): string =>
  format.formatToParts(0.5).find((part) => part.type === 'decimal')?.value ?? '';

/**
 * For English in most of Europe, ICU formats plain numbers with a decimal comma (1.234,50 in en-DE) and money with a
 * decimal point (€1,234.50). A page must not mix them, so such documents use the locale for English in Europe.
 */
function selectConsistentLocale(locale: string, currencyCode: string): string {
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 });
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: currencyCode, minimumFractionDigits: 1 });
  return locale.startsWith('en-') && getDecimalSign(plain) !== getDecimalSign(money) ? 'en-150' : locale;
}

/** Formats a number with the separators of money, which in Austria differ from those of quantities. */
const createPlainFormatter =
  (format: Intl.NumberFormat) =>
  (value: DecimalString): string =>
    format
      .formatToParts(value)
      .filter((part) => part.type !== 'currency' && part.type !== 'literal')
      .map((part) => part.value)
      .join('');

type FormatSettings = Pick<PrintableDocument, 'locale' | 'currencyCode' | 'currencyDecimals'>;

const toDate = (day: CalendarDate): Date => new Date(`${day}T00:00:00Z`);

function createFormats(document: FormatSettings): Formats {
  const { currencyCode, currencyDecimals } = document;
  const locale = selectConsistentLocale(document.locale, currencyCode);
  // Spanish would not group four-digit numbers, so that the digits of a column would not align.
  const grouped = { useGrouping: 'always' } as const;
  const digits = (minimum: number, maximum: number) => ({
    ...grouped,
    minimumFractionDigits: minimum,
    maximumFractionDigits: maximum,
  });
  const currency = { style: 'currency', currency: currencyCode } as const;
  const money = new Intl.NumberFormat(locale, { ...digits(currencyDecimals, currencyDecimals), ...currency });
  const unitPrice = new Intl.NumberFormat(locale, {
    ...digits(currencyDecimals, MAX_DECIMALS.unitPrice),
    ...currency,
  });
  const quantity = new Intl.NumberFormat(locale, digits(0, MAX_DECIMALS.quantity));
  const percent = new Intl.NumberFormat(locale, { ...digits(0, MAX_DECIMALS.percent), style: 'unit', unit: 'percent' });
  const rate = new Intl.NumberFormat(locale, digits(2, MAX_DECIMALS.rate));
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const otherMoney = (code: string) => {
    const decimals = getCurrencyDecimals(code);
    return new Intl.NumberFormat(locale, { ...digits(decimals, decimals), style: 'currency', currency: code });
  };

  return {
    amount: createPlainFormatter(money),
    money: (value, code = currencyCode) => (code === currencyCode ? money : otherMoney(code)).format(value),
    unitPrice: createPlainFormatter(unitPrice),
    quantity: (value) => quantity.format(value),
    percent: (value) => percent.format(value),
    rate: (value) => rate.format(value),
    date: (value) => date.format(toDate(value)),
    period: ({ start, end }) => date.formatRange(toDate(start), toDate(end)),
  };
}

/** Formats are expensive to create, and most documents share a few of them, so they are cached. */
const formatsCache = new LRUCache<string, Formats>({ max: 50 });

/** @throws RangeError if the locale or a currency code is malformed. */
export function getFormats({ locale, currencyCode, currencyDecimals }: FormatSettings): Formats {
  const key = [locale, currencyCode, currencyDecimals].join(' ');
  const cached = formatsCache.get(key);
  if (cached !== undefined) return cached;
  const created = createFormats({ locale, currencyCode, currencyDecimals });
  formatsCache.set(key, created);
  return created;
}

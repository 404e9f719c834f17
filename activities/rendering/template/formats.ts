import type { CalendarDate, Decimal, InvoiceDocument } from '../../../domain/business/invoice-document';

/** Prices, quantities and rates are printed with the decimals they have, at most these. */
const MAX_DECIMALS = { unitPrice: 6, quantity: 6, percent: 4, rate: 10 } as const;

/** Writes the numbers and dates of one document the way its readers write them. Digits are never rounded away. */
export interface Formats {
  /** An amount in the document's currency without its sign: `1.234,50`. */
  amount(value: Decimal): string;
  /** An amount with its currency: `1.234,50 €`; in another currency, with that currency's own decimals. */
  money(value: Decimal, currencyCode?: string): string;
  unitPrice(value: Decimal): string;
  quantity(value: Decimal): string;
  /** Takes 21 for 21 %. */
  percent(value: Decimal): string;
  rate(value: Decimal): string;
  /** `21 November 2026`: with the month in words no reader swaps day and month. */
  date(value: CalendarDate): string;
}

/** @throws RangeError when the locale or a currency code is not well formed. */
export function createFormats(
  document: Pick<InvoiceDocument, 'locale' | 'currencyCode' | 'currencyDecimals'>,
): Formats {
  const { locale, currencyCode, currencyDecimals } = document;
  // Spanish would leave four-digit numbers ungrouped, which breaks the column.
  const grouped = { useGrouping: 'always' } as const;
  const digits = (minimum: number, maximum: number) => ({
    ...grouped,
    minimumFractionDigits: minimum,
    maximumFractionDigits: maximum,
  });
  const amount = new Intl.NumberFormat(locale, digits(currencyDecimals, currencyDecimals));
  const money = new Intl.NumberFormat(locale, {
    ...digits(currencyDecimals, currencyDecimals),
    style: 'currency',
    currency: currencyCode,
  });
  const unitPrice = new Intl.NumberFormat(locale, digits(currencyDecimals, MAX_DECIMALS.unitPrice));
  const quantity = new Intl.NumberFormat(locale, digits(0, MAX_DECIMALS.quantity));
  const percent = new Intl.NumberFormat(locale, { ...digits(0, MAX_DECIMALS.percent), style: 'unit', unit: 'percent' });
  const rate = new Intl.NumberFormat(locale, digits(2, MAX_DECIMALS.rate));
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const otherMoney = (code: string) => new Intl.NumberFormat(locale, { ...grouped, style: 'currency', currency: code });

  return {
    amount: (value) => amount.format(value),
    money: (value, code = currencyCode) => (code === currencyCode ? money : otherMoney(code)).format(value),
    unitPrice: (value) => unitPrice.format(value),
    quantity: (value) => quantity.format(value),
    percent: (value) => percent.format(value),
    rate: (value) => rate.format(value),
    date: (value) => date.format(new Date(`${value}T00:00:00Z`)),
  };
}

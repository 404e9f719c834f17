/** Currencies without decimals and with three; every other one has two (ISO 4217, minor unit column). */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DECIMALS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

function getCurrencyDecimals(currency: string): 0 | 2 | 3 {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/**
 * The format of amounts in a currency, with the decimals to which the API rounds it: browsers would show some currencies
 * with those in common use, such as forints without fillér.
 *
 * @param maximum decimals of prices that may have more than the currency
 */
export function buildCurrencyOptions(currency: string, maximum?: number) {
  const decimals = getCurrencyDecimals(currency);
  return {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: maximum ?? decimals,
  } as const;
}

import { alpha3ToAlpha2, isValid } from 'i18n-iso-countries/index';

/** Other codes of Kosovo, which has none of ISO 3166-1: that of documents, and that of the European Union. */
const KOSOVO_CODES: readonly string[] = ['RKS', 'XKX'];

/** The alpha-2 code of a country given by its alpha-2 or alpha-3 code; undefined for any other text. */
export function parseCountryCode(value: string): string | undefined {
  const code = value.trim().toUpperCase();
  if (KOSOVO_CODES.includes(code)) return 'XK';
  if (!/^[A-Z]{2,3}$/.test(code) || !isValid(code)) return undefined;
  return code.length === 2 ? code : alpha3ToAlpha2(code);
}

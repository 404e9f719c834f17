import { alpha3ToAlpha2 } from 'i18n-iso-countries';
import i18next from 'i18next';

const ALPHA_2 = /^[A-Z]{2}$/;

/** The name of a country (ISO 3166-1) in the language of the user. A code without a name, such as UTO of specimens, is returned as it is. */
export function getCountryName(code: string): string {
  const alpha2 = alpha3ToAlpha2(code) ?? code;
  if (!ALPHA_2.test(alpha2)) return code;
  return new Intl.DisplayNames([i18next.language], { type: 'region', fallback: 'code' }).of(alpha2) ?? code;
}

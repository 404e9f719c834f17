import { getAlpha3Codes } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { parseCountryCode } from '../../domain/identity/countries';

/** Every ISO 3166-1 code of two or three letters, in capitals. */
export const COUNTRY_CODES: readonly string[] = Object.entries(getAlpha3Codes()).flat();

/** What describes a country in a request, next to its type. */
export const COUNTRY_CODE = { pattern: `^(${COUNTRY_CODES.join('|')})$` };

/** A country, accepted as ISO 3166-1 alpha-2 or alpha-3 and passed on as alpha-2. */
export const countryCode = z
  .string()
  .transform((value) => parseCountryCode(value) ?? '')
  .refine((code) => code !== '', { error: 'accepts an ISO 3166-1 code of two or three letters' })
  .meta(COUNTRY_CODE);

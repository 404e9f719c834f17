import { z } from 'zod';
import { parseCountryCode } from '../../domain/identity/countries';

/** A country, accepted as ISO 3166-1 alpha-2 or alpha-3 and passed on as alpha-2. */
export const countryCode = z
  .string()
  .transform((value) => parseCountryCode(value) ?? '')
  .refine((code) => code !== '', { error: 'accepts an ISO 3166-1 code of two or three letters' });

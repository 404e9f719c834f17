import { alpha2ToAlpha3 } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { parseCountryCode } from '../../../domain/identity/countries';
import { CALLBACK_URL_PATTERN, isCallbackUrl } from '../../../domain/identity/sessions/callback-url';
import { DEFAULT_FEATURES, FEATURES } from '../../../domain/identity/sessions/features';
import { isWithinMetadataLimit, METADATA_LIMIT } from '../../../domain/identity/sessions/metadata';
import { isEmailAddress, MAX_ADDRESS_LENGTH } from '../../../lib/mail/address';
import { trimmedText } from '../../http/text';
import { rejectFutureBirthDate } from '../birth-date';
import { COUNTRY_CODE } from '../country';

/** A feature, as clients send it. */
export const requestedFeature = z.enum(FEATURES, { error: `accepts ${FEATURES.join(', ')}` });

/** ISO 3166-1 alpha-2 or alpha-3, stored as alpha-3, the form printed on documents. */
export const country = z
  .string()
  .transform((value) => parseCountryCode(value) ?? '')
  .refine((code) => code !== '', { error: 'accepts an ISO 3166-1 country code such as FR or FRA' })
  .transform((code) => alpha2ToAlpha3(code) ?? code)
  .meta({ ...COUNTRY_CODE, description: 'ISO 3166-1 alpha-2 or alpha-3 code.' });

const CALLBACK_URL_PROBLEM =
  'accepts an http or https URL, or one with the scheme of an app such as shop.example:/verified';

export const callbackUrl = z
  .string({ error: CALLBACK_URL_PROBLEM })
  .max(2000)
  .refine(isCallbackUrl, { error: CALLBACK_URL_PROBLEM })
  .meta({
    format: 'uri',
    pattern: CALLBACK_URL_PATTERN,
    description:
      "URL to which the person's browser is redirected afterwards, of a page or an app; the server never calls it.",
  });

const LANGUAGE_PROBLEM = 'accepts a language tag such as en, pt-BR or zh-Hant-TW';

/** A BCP 47 tag of a language, with its script and region if they matter, in canonical form. */
const languageTag = z
  .string({ error: LANGUAGE_PROBLEM })
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/, { error: LANGUAGE_PROBLEM, abort: true })
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .meta({
    description:
      'Language of the person: a BCP 47 tag with a script or region where they matter, stored in canonical form (`zh-hant-tw` as `zh-Hant-TW`). The capture page is shown in it, else in the language that the browser prefers.',
    example: 'pt-BR',
  });

/** Metadata of a session: any JSON object of limited size. */
export const metadataFields = z
  .record(z.string().max(100), z.unknown())
  .refine(isWithinMetadataLimit, { error: METADATA_LIMIT })
  .meta({ propertyNames: { maxLength: 100, pattern: '^[^\\u0000]*$' } });

/** Options of a new session; all of them optional. */
export const sessionOptions = z.strictObject({
  workflowId: z.string().min(1).max(64).optional().meta({
    description: 'Session workflow that the session starts with. Default: the default workflow, if there is one.',
  }),
  features: z
    .array(requestedFeature)
    .min(1)
    .max(20)
    .optional()
    .meta({
      description: `Features to verify instead of those of the workflow. Default without a workflow: ${DEFAULT_FEATURES.join(', ')}.`,
    }),
  externalId: trimmedText(200).optional().meta({ description: "The client's own id of the person or case." }),
  metadata: metadataFields.optional(),
  callbackUrl: callbackUrl.optional(),
  language: languageTag.optional(),
  expected: z
    .strictObject({
      firstName: trimmedText(200).optional(),
      lastName: trimmedText(200).optional(),
      dateOfBirth: rejectFutureBirthDate(z.iso.date({ error: 'accepts a date YYYY-MM-DD' }))
        .optional()
        .meta({ description: 'Date of birth, not in the future.' }),
      nationality: country.optional(),
      country: country.optional(),
      documentNumber: trimmedText(50).optional(),
      address: trimmedText(500).optional(),
    })
    .optional()
    .meta({ description: 'Details of the person that are already known; a document that differs goes to review.' }),
  contact: z
    .strictObject({
      email: z
        .email({ abort: true })
        .max(MAX_ADDRESS_LENGTH)
        .refine(isEmailAddress, 'must be an email address')
        .meta({ pattern: z.regexes.email.source })
        .optional(),
      phone: z
        .string()
        .regex(/^\+[1-9]\d{5,14}$/, 'accepts an international number such as +33612345678')
        .optional(),
    })
    .optional(),
});

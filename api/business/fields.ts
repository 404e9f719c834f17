import { getAlpha2Codes } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { readCalendarDate } from '../../domain/business/calendar';
import { CURRENCY_CODES, isCurrencyCode } from '../../domain/business/currencies';
import {
  AMOUNT_RULE,
  EXCHANGE_RATE_RULE,
  PERCENT_RULE,
  QUANTITY_RULE,
  readDecimal,
  SIGNED_QUANTITY_RULE,
  UNIT_PRICE_RULE,
} from '../../domain/business/decimal';
import type { Decimal, DecimalRule } from '../../domain/business/decimal';
import {
  ELECTRONIC_ADDRESS_SCHEMES,
  parseElectronicAddress,
} from '../../domain/business/documents/einvoice/electronic-address';
import { isUnitCode } from '../../domain/business/documents/einvoice/unit-codes';
import { DOCUMENT_LANGUAGES } from '../../domain/business/invoices/invoice';
import type { SentSupplyDates } from '../../domain/business/invoices/supply-dates';
import { PAYMENT_TERMS_CODES } from '../../domain/business/payments/payment-terms';
import { invalidFieldError } from '../../domain/errors';
import { EMAIL_ADDRESS_PATTERN, isEmailAddress, MAX_ADDRESS_LENGTH } from '../../lib/mail/address';

/** Field types of the business API. Every message states what is accepted. */

/** Control characters other than line breaks and tabs, and lone surrogates, which cannot be encoded. */
const CONTROL_CHARACTER = /\p{Cs}|[^\P{Cc}\n\r\t]/u;
const LINE_BREAK = /[\n\r\t]/;
/** A visible character: not a joiner, a direction mark or another character without a glyph. */
const VISIBLE_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Patterns of the schemas, which say what {@link line} and {@link paragraph} check; JSON cannot carry lone surrogates. */
const LINE_PATTERN = '^[^\\u0000-\\u001F\\u007F-\\u009F]*[\\p{L}\\p{N}\\p{P}\\p{S}][^\\u0000-\\u001F\\u007F-\\u009F]*$';
const PARAGRAPH_PATTERN = '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$';

/** One line of text, trimmed. */
export const line = (max: number) =>
  z
    .string({ error: 'must be a string' })
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !CONTROL_CHARACTER.test(value) && !LINE_BREAK.test(value), 'must not contain control characters')
    .refine((value) => value === '' || VISIBLE_CHARACTER.test(value), 'must have a visible character')
    .meta({ pattern: LINE_PATTERN });

/** Text of several lines; empty text is allowed. */
export const paragraph = (max: number) =>
  z
    .string({ error: 'must be a string' })
    .trim()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !CONTROL_CHARACTER.test(value), 'must not contain control characters')
    .meta({ pattern: PARAGRAPH_PATTERN });

export const flag = z.boolean({ error: 'must be true or false' });

/** The type of a decimal that can be null, for its documentation, which does not follow from the schema. */
export const NULLABLE_DECIMAL: { type: ['number', 'null'] } = { type: ['number', 'null'] };

/** Id of a record. */
export const recordId = z
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .positive('must be greater than 0')
  .meta({ maximum: Number.MAX_SAFE_INTEGER });

const decimal = (rule: DecimalRule, description: string) =>
  z
    .unknown()
    .transform((input, context): Decimal => {
      const reading = readDecimal(input, rule);
      if ('value' in reading) return reading.value;
      context.addIssue({ code: 'custom', message: input === undefined ? 'is required' : reading.problem });
      return z.NEVER;
    })
    .meta({
      type: 'number',
      description,
      ...(rule.min === undefined ? {} : { minimum: Number(rule.min) }),
      ...(rule.above === undefined ? {} : { exclusiveMinimum: Number(rule.above) }),
      ...(rule.max === undefined ? {} : { maximum: Number(rule.max) }),
    });

export const unitPrice = decimal(UNIT_PRICE_RULE, 'Decimal with at most 6 decimals and 15 significant digits.');
export const quantity = decimal(QUANTITY_RULE, 'Decimal with at most 6 decimals and 15 significant digits.');
export const signedQuantity = decimal(
  SIGNED_QUANTITY_RULE,
  'Decimal with at most 6 decimals and 15 significant digits.',
);
/** A stock level; zero is allowed. */
export const level = decimal({ ...UNIT_PRICE_RULE }, 'Decimal with at most 6 decimals and 15 significant digits.');
export const percent = decimal(PERCENT_RULE, 'Percentage with at most 4 decimals.');
export const amount = decimal(AMOUNT_RULE, 'Amount with at most 3 decimals.');
export const exchangeRate = decimal(
  EXCHANGE_RATE_RULE,
  'Units of base currency per 1 unit of the currency; at most 10 significant digits.',
);

export const currencyCode = z
  .string({ error: 'must be a string' })
  .refine(isCurrencyCode, 'must be an ISO 4217 code of a currency in circulation, such as EUR')
  .meta({ pattern: `^(${CURRENCY_CODES.join('|')})$`, description: 'ISO 4217 code.', example: 'EUR' });

export const paymentTerms = z
  .enum(PAYMENT_TERMS_CODES, { error: `must be one of ${PAYMENT_TERMS_CODES.join(', ')}` })
  .meta({ example: 'NET30' });

export const electronicAddress = line(120)
  .refine(
    (value) => parseElectronicAddress(value) !== null,
    'must be scheme:identifier with a scheme of the list EAS, such as 0204:991-33333TEST-33',
  )
  .meta({
    pattern: `^(${ELECTRONIC_ADDRESS_SCHEMES.join('|')}):[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$`,
    description:
      'Address to which electronic invoices are delivered, as scheme:identifier with a scheme of the list EAS.',
  });

export const unitCode = z
  .string({ error: 'must be a string' })
  .refine(isUnitCode, 'must be a unit code of UN/ECE Recommendation 20, such as C62 (one) or HUR (hour)')
  .meta({ pattern: '^[A-Z0-9]{2,3}$', example: 'HUR' });

export const language = z.enum(DOCUMENT_LANGUAGES, { error: `must be one of ${DOCUMENT_LANGUAGES.join(', ')}` });

export const email = z
  .string({ error: 'must be an email address' })
  .max(MAX_ADDRESS_LENGTH, { error: `must have at most ${MAX_ADDRESS_LENGTH} characters`, abort: true })
  .refine(isEmailAddress, 'must be an email address')
  .meta({
    format: 'idn-email',
    pattern: EMAIL_ADDRESS_PATTERN,
    description: 'Email address; its domain can be internationalised.',
  });

const COUNTRY_CODES: ReadonlySet<string> = new Set(Object.keys(getAlpha2Codes()));

const countryCode = z
  .string({ error: 'must be a string' })
  .refine((code) => COUNTRY_CODES.has(code), 'must be an ISO 3166-1 alpha-2 code, such as DE')
  .meta({ pattern: `^(${[...COUNTRY_CODES].join('|')})$` });

/** A postal address in a request; absent parts do not change. */
export const addressInput = z.strictObject(
  {
    line1: line(200).nullable().optional(),
    line2: line(200).nullable().optional(),
    city: line(100).nullable().optional(),
    region: line(100).nullable().optional(),
    postalCode: line(20).nullable().optional(),
    country: countryCode.nullable().optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
);

export const addressSchema = z.object({
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
});

export const exampleAddress = {
  line1: 'Hauptstraße 1',
  line2: null,
  city: 'Berlin',
  region: null,
  postalCode: '10115',
  country: 'DE',
};

/** A time in a response, with the UTC offset of the company's time zone. */
export const instant = z.iso.datetime({ offset: true }).meta({ example: '2026-11-21T10:00:00.000+01:00' });
/** A calendar date in a response. */
export const day = z.iso.date();

/** Largest id that a path or a query accepts: 15 digits. */
export const MAX_ID = 999_999_999_999_999;

/** The `:id` of a path. */
export const idPath = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the number of a record: a whole number from 1')
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_ID, example: 1 }),
});

/** `?dryRun=true` checks and computes everything without writing it. */
export const dryRunQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .meta({ 'x-addition': true, description: 'Whether to check and compute everything without writing it.' }),
});

/** Years from 1900, as {@link readCalendarDate} accepts them. */
const YEARS = '^(19|[2-9][0-9])[0-9]{2}-';

/** What describes a calendar date in a request, next to its type. */
export const CALENDAR_DATE = { format: 'date', pattern: YEARS };

/** What describes a date or a time in a request, next to its type. */
export const DATE_OR_TIME = { anyOf: [{ format: 'date' }, { format: 'date-time' }], pattern: YEARS };

/** A calendar date in a request; {@link parseCalendarField} reads it in the time zone of the company. */
export const dayInput = z
  .string({ error: 'must be a date YYYY-MM-DD' })
  .max(40, 'must be a date YYYY-MM-DD')
  .meta({
    ...CALENDAR_DATE,
    description: 'Date, YYYY-MM-DD; a date-time means its date in the time zone of the company.',
    example: '2026-11-21',
  });

/** A period in a request; {@link parseSupplyDates} reads its days in the time zone of the company. */
const periodInput = z.strictObject(
  { start: dayInput, end: dayInput },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object with start and end' : undefined) },
);

/** When goods are delivered or services performed, in a request. */
export const supplyDateInputs = {
  deliveryDate: dayInput.nullable().optional().meta({
    'x-addition': true,
    description: 'Day of delivery or performance; either this or `deliveryPeriod`.',
  }),
  deliveryPeriod: periodInput.nullable().optional().meta({
    'x-addition': true,
    description: 'First and last day of delivery or performance; either this or `deliveryDate`.',
  }),
};

/** When goods are delivered or services performed, in a response. */
export const supplyDateSchemas = {
  deliveryDate: day.nullable().meta({ description: 'Day of delivery or performance; null if not stated.' }),
  deliveryPeriod: z
    .object({ start: day, end: day })
    .nullable()
    .meta({ description: 'First and last day of delivery or performance; null if not stated.' }),
};

/** A read-only field, which a client may send back unchanged. */
export const readOnlyField = z.unknown().optional().meta({ readOnly: true });

/** The read-only fields of a PUT body, which a client may send back unchanged. */
export const readOnlyFields = <const K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, readOnlyField])) as Record<K, typeof readOnlyField>;

/**
 * Fields of a PUT body that follow from other records, such as stock from movements. They change without the record,
 * so that a value read earlier can differ by now; they are ignored.
 */
export const derivedFields = <const K extends string>(descriptions: Readonly<Record<K, string>>) =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [
      name,
      readOnlyField.meta({ description: `${description} Ignored in a request.` }),
    ]),
  ) as Record<K, typeof readOnlyField>;

/** Reads a date in the time zone of the company. @throws AppError 400 naming the field */
export function parseCalendarField<T extends null | undefined>(
  field: string,
  value: string | T,
  timeZone: string,
): string | T {
  if (value == null) return value;
  const reading = readCalendarDate(value, timeZone);
  if ('problem' in reading) throw invalidFieldError(field, reading.problem);
  return reading.value;
}

/**
 * Reads the dates of supply of a document or line in the time zone of the company.
 * @param at prefix of the fields, such as `lines[0].`
 * @throws AppError 400 naming the field
 */
export function parseSupplyDates(sent: SentSupplyDates, at: string, timeZone: string): SentSupplyDates {
  const { deliveryDate, deliveryPeriod } = sent;
  const parsePeriodDay = (name: 'start' | 'end', value: string): string =>
    parseCalendarField<never>(`${at}deliveryPeriod.${name}`, value, timeZone);
  return {
    deliveryDate: parseCalendarField(`${at}deliveryDate`, deliveryDate, timeZone),
    deliveryPeriod: deliveryPeriod && {
      start: parsePeriodDay('start', deliveryPeriod.start),
      end: parsePeriodDay('end', deliveryPeriod.end),
    },
  };
}

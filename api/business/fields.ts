import { isValid } from 'i18n-iso-countries';
import { z } from 'zod';
import { readCalendarDate } from '../../domain/business/calendar';
import { isCurrencyCode } from '../../domain/business/currencies';
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
import { DOCUMENT_LANGUAGES } from '../../domain/business/invoices/invoice';
import { PAYMENT_TERMS_CODES } from '../../domain/business/payments/payment-terms';
import { invalidFieldError } from '../../domain/errors';

/** Field types of the business API; each message says what is accepted. */

/** Control characters other than line breaks and tabs, and halves of surrogate pairs, which no encoding can carry. */
const CONTROL_CHARACTER = /\p{Cs}|[^\P{Cc}\n\r\t]/u;
const LINE_BREAK = /[\n\r\t]/;
/** Something a reader sees: not only joiners, marks of direction and other characters without a shape. */
const VISIBLE_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** One line of text, trimmed. */
export const line = (max: number) =>
  z
    .string({ error: 'must be a string' })
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !CONTROL_CHARACTER.test(value) && !LINE_BREAK.test(value), 'must not contain control characters')
    .refine((value) => value === '' || VISIBLE_CHARACTER.test(value), 'must have a visible character');

/** Text of several lines; empty text is allowed. */
export const paragraph = (max: number) =>
  z
    .string({ error: 'must be a string' })
    .trim()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !CONTROL_CHARACTER.test(value), 'must not contain control characters');

export const flag = z.boolean({ error: 'must be true or false' });

/** Number of a record, as the contract has them. */
export const recordId = z
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .positive('must be greater than 0');

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

export const unitPrice = decimal(UNIT_PRICE_RULE, 'At most 6 decimals and 15 significant digits.');
export const quantity = decimal(QUANTITY_RULE, 'At most 6 decimals and 15 significant digits.');
export const signedQuantity = decimal(SIGNED_QUANTITY_RULE, 'At most 6 decimals and 15 significant digits.');
/** A level of stock: zero allowed. */
export const level = decimal({ ...UNIT_PRICE_RULE }, 'At most 6 decimals and 15 significant digits.');
export const percent = decimal(PERCENT_RULE, 'At most 4 decimals.');
export const amount = decimal(AMOUNT_RULE, 'At most 3 decimals.');
export const exchangeRate = decimal(EXCHANGE_RATE_RULE, 'Base currency per 1 unit; at most 10 significant digits.');

export const currencyCode = z
  .string({ error: 'must be a string' })
  .refine(isCurrencyCode, 'must be an ISO 4217 code of a currency in circulation, such as EUR')
  .meta({ description: 'ISO 4217.', example: 'EUR' });

export const paymentTerms = z
  .enum(PAYMENT_TERMS_CODES, { error: `must be one of ${PAYMENT_TERMS_CODES.join(', ')}` })
  .meta({ example: 'NET30' });

export const language = z.enum(DOCUMENT_LANGUAGES, { error: `must be one of ${DOCUMENT_LANGUAGES.join(', ')}` });

export const email = z.email({ error: 'must be an email address' }).max(254, 'must have at most 254 characters');

/** A postal address as it is sent; parts left out stay as they are. */
export const addressInput = z.strictObject(
  {
    line1: line(200).nullable().optional(),
    line2: line(200).nullable().optional(),
    city: line(100).nullable().optional(),
    region: line(100).nullable().optional(),
    postalCode: line(20).nullable().optional(),
    country: z
      .string({ error: 'must be a string' })
      .refine((code) => /^[A-Z]{2}$/.test(code) && isValid(code), 'must be an ISO 3166-1 alpha-2 code, such as DE')
      .nullable()
      .optional(),
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

/** An instant as it is answered: with the company's offset. */
export const instant = z.iso.datetime({ offset: true }).meta({ example: '2026-11-21T10:00:00.000+01:00' });
/** A day of the calendar as it is answered. */
export const day = z.iso.date();

/** The `:id` of a path. */
export const idPath = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, example: 1 }),
});

/** `?dryRun=true`: everything is checked and computed, nothing is written. */
export const dryRunQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .meta({ 'x-addition': true, description: '`true` checks and computes everything and writes nothing.' }),
});

/** A day of the calendar as it is sent; read by {@link parseCalendarField} in the company's zone. */
export const dayInput = z
  .string({ error: 'must be a date YYYY-MM-DD' })
  .max(40, 'must be a date YYYY-MM-DD')
  .meta({ description: 'YYYY-MM-DD; a date-time means its day in the company’s time zone.', example: '2026-11-21' });

/** A field that is only read: it may be put back as it was read. */
export const readOnlyField = z.unknown().optional();

/** The body fields of a PUT that may be sent back as they were read, but not changed. */
export const readOnlyFields = <const K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, readOnlyField])) as Record<K, typeof readOnlyField>;

/** Reads a calendar field in the company's zone. @throws AppError 400 naming it. */
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

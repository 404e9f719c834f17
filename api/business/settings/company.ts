import { z } from 'zod';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { E_INVOICING_MODES } from '../../../domain/business/documents/einvoice/check';
import { MAX_LOGO_BYTES, readLogo, removeLogo, setLogo } from '../../../services/business/settings/company-logo';
import { updateCompany } from '../../../services/business/settings/company-settings';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import {
  addressInput,
  addressSchema,
  currencyCode,
  email,
  instant,
  language,
  line,
  exampleAddress,
  paymentTerms,
  percent,
  recordId,
  readOnlyField,
} from '../fields';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const TAX_ROUNDINGS = ['per_rate', 'per_line'] as const;
const LOGO_PATH = '/api/config/company/logo';

const companySchema = z.object({
  legalName: z.string(),
  taxId: z.string().nullable(),
  registrationNumber: z.string().nullable(),
  address: addressSchema,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  bankName: z.string().nullable(),
  iban: z.string().nullable(),
  bic: z.string().nullable(),
  logo: z.string().nullable().meta({ description: 'Path of the logo; null if there is none.' }),
  timeZone: z.string(),
  baseCurrencyCode: z.string(),
  language: z.string(),
  taxRounding: z.enum(TAX_ROUNDINGS),
  eInvoicing: z.enum(E_INVOICING_MODES),
  defaultTaxRateId: z.number().int(),
  defaultPaymentTerms: z.string(),
  defaultWarehouseId: z.number().int(),
  defaultSeriesId: z.number().int(),
  maxExchangeRateAgeDays: z.number().int(),
  overReceiptTolerancePercent: z
    .number()
    .meta({ description: 'Percentage by which a receipt may exceed the ordered quantity.' }),
  overBillingTolerancePercent: z
    .number()
    .meta({ description: 'Percentage by which a bill may exceed the quantity received with its receipts.' }),
  createdAt: instant,
  updatedAt: instant,
});

const exampleCompany = {
  legalName: 'Example GmbH',
  taxId: 'DE123456789',
  registrationNumber: 'HRB 12345',
  address: exampleAddress,
  email: 'billing@example.com',
  phone: null,
  website: 'https://example.com',
  bankName: 'Example Bank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  logo: LOGO_PATH,
  timeZone: 'Europe/Berlin',
  baseCurrencyCode: 'EUR',
  language: 'de',
  taxRounding: 'per_rate',
  eInvoicing: 'off',
  defaultTaxRateId: 1,
  defaultPaymentTerms: 'NET30',
  defaultWarehouseId: 1,
  defaultSeriesId: 1,
  maxExchangeRateAgeDays: 7,
  overReceiptTolerancePercent: 0,
  overBillingTolerancePercent: 0,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentCompany = (record: CompanyRecord) => ({
  legalName: record.legalName,
  taxId: record.taxId,
  registrationNumber: record.registrationNumber,
  address: record.address,
  email: record.email,
  phone: record.phone,
  website: record.website,
  bankName: record.bankName,
  iban: record.iban,
  bic: record.bic,
  logo: record.logoKey === null ? null : LOGO_PATH,
  timeZone: record.timeZone,
  baseCurrencyCode: record.baseCurrencyCode,
  language: record.language,
  taxRounding: record.taxRounding,
  // Absent in companies created before the setting existed.
  eInvoicing: record.eInvoicing ?? 'off',
  defaultTaxRateId: record.defaultTaxRateId,
  defaultPaymentTerms: record.defaultPaymentTerms,
  defaultWarehouseId: record.defaultWarehouseId,
  defaultSeriesId: record.defaultSeriesId,
  maxExchangeRateAgeDays: record.maxExchangeRateAgeDays,
  overReceiptTolerancePercent: record.overReceiptTolerancePercent,
  overBillingTolerancePercent: record.overBillingTolerancePercent ?? 0,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const days = z
  .number({ error: 'must be a whole number of days, 0 to 366' })
  .int('must be a whole number of days, 0 to 366')
  .min(0, 'must be a whole number of days, 0 to 366')
  .max(366, 'must be a whole number of days, 0 to 366');

/** Accepts an address with or without its scheme. */
const isWebAddress = (value: string): boolean => URL.canParse(/^https?:\/\//i.test(value) ? value : `https://${value}`);
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z\d+-]*:/i;

const website = line(200).refine(
  (value) => isWebAddress(value) && !OTHER_SCHEME.test(value),
  'must be an http or https address, like https://example.com',
);

const READ_ONLY = ['logo', 'createdAt', 'updatedAt'] as const;

const companyBody = z.strictObject({
  legalName: line(200).optional(),
  taxId: line(40).nullable().optional(),
  registrationNumber: line(60).nullable().optional(),
  address: addressInput.optional(),
  email: email.nullable().optional(),
  phone: line(40).nullable().optional(),
  website: website.nullable().optional(),
  bankName: line(100).nullable().optional(),
  iban: line(50)
    .nullable()
    .optional()
    .meta({ description: 'IBAN of the bank account; country, length and check digits are verified.' }),
  bic: line(20).nullable().optional(),
  timeZone: line(60)
    .optional()
    .meta({ description: 'IANA name of the time zone. The dates of issued documents do not change.' }),
  baseCurrencyCode: currencyCode.optional().meta({
    description:
      'ISO 4217 code. It can only change while nothing has been posted; the change deletes the exchange rates.',
  }),
  language: language.optional(),
  taxRounding: z
    .enum(TAX_ROUNDINGS, { error: `must be one of ${TAX_ROUNDINGS.join(', ')}` })
    .optional()
    .meta({ description: 'Whether tax is rounded once per rate, on the sum of its lines, or on each line.' }),
  eInvoicing: z
    .enum(E_INVOICING_MODES, { error: `must be one of ${E_INVOICING_MODES.join(', ')}` })
    .optional()
    .meta({ description: 'Whether a document that violates a rule of EN 16931 is rejected when it is issued.' }),
  defaultTaxRateId: recordId.optional(),
  defaultPaymentTerms: paymentTerms.optional(),
  defaultWarehouseId: recordId.optional(),
  defaultSeriesId: recordId.optional(),
  maxExchangeRateAgeDays: days
    .optional()
    .meta({ description: 'Maximum age of an exchange rate in days; older rates are not used.' }),
  overReceiptTolerancePercent: percent.optional().meta({
    description: 'Percentage by which a receipt may exceed the ordered quantity: 0 to 100, at most 4 decimals.',
  }),
  overBillingTolerancePercent: percent.optional().meta({
    description:
      'Percentage by which a bill may exceed the quantity received with its receipts: 0 to 100, at most 4 decimals.',
  }),
  logo: readOnlyField,
  createdAt: readOnlyField,
  updatedAt: readOnlyField,
});

const companyReply = { schema: z.object({ data: companySchema }), example: { data: exampleCompany } };
const TAG = 'Configuration';

const read = defineRoute({
  method: 'get',
  path: '/api/config/company',
  operationId: 'getCompany',
  summary: 'Get the company',
  tag: TAG,
  permission: 'config:read',
  replies: { 200: { description: 'The company.', ...companyReply } },
  async handle(context) {
    const { company } = await getCaller(context);
    return {
      status: 200,
      headers: buildEtagHeader(company.version),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/company',
  operationId: 'updateCompany',
  summary: 'Update the company',
  description:
    'Changes the fields that are sent. Issued documents do not change. Read-only fields may be sent back unchanged. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body: companyBody,
  bodyExample: { legalName: 'Example GmbH', iban: 'DE89 3704 0044 0532 0130 00', timeZone: 'Europe/Berlin' },
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: {
    409: '`base_currency_in_use`: documents or stock have been posted in the base currency.',
    412: 'The record has changed since the version that If-Match names.',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const current = serializeResponse(presentCompany(caller.company), caller.company.timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const company = await updateCompany(context.platform, caller, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const showLogo = defineRoute({
  method: 'get',
  path: LOGO_PATH,
  operationId: 'getCompanyLogo',
  summary: 'Get the logo',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: { 200: { description: 'The image, PNG or JPEG.', contentType: 'image/*' } },
  async handle(context) {
    const { bytes, contentType } = await readLogo(context.platform, await getCaller(context));
    return { status: 200, bytes, contentType, headers: { 'X-Content-Type-Options': 'nosniff' } };
  },
});

const putLogo = defineRoute({
  method: 'put',
  path: LOGO_PATH,
  operationId: 'setCompanyLogo',
  summary: 'Set the logo',
  description:
    'The logo is printed on documents that are issued from now on; issued documents keep theirs. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  files: {
    logo: { required: true, description: `PNG or JPEG image of at most ${MAX_LOGO_BYTES / 1024 / 1024} MB.` },
  },
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: {
    412: 'The record has changed since the version that If-Match names.',
    413: 'The logo is larger than 1 MB.',
  },
  async handle(context, { files }) {
    const caller = await getCaller(context);
    const bytes = files['logo']?.body ?? Buffer.alloc(0);
    const company = await setLogo(context.platform, caller, bytes, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const deleteLogo = defineRoute({
  method: 'delete',
  path: LOGO_PATH,
  operationId: 'removeCompanyLogo',
  summary: 'Remove the logo',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: { 412: 'The record has changed since the version that If-Match names.' },
  async handle(context) {
    const caller = await getCaller(context);
    const company = await removeLogo(context.platform, caller, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

export const companyRoutes: readonly Route[] = [read, update, showLogo, putLogo, deleteLogo];

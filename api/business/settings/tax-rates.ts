import { z } from 'zod';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import {
  createTaxRate,
  getTaxRate,
  listTaxRates,
  TAX_RATE_SORT_FIELDS,
  updateTaxRate,
} from '../../../services/business/settings/tax-rates';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { TAX_PROFILES, TAX_RATE_SCOPES } from '../../../domain/business/settings/tax-profiles';
import {
  day,
  dayInput,
  flag,
  instant,
  language,
  line,
  parseCalendarField,
  percent,
  readOnlyFields,
  recordId,
} from '../fields';
import { activeParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const translationSchema = z.object({ name: z.string(), exemptionReason: z.string().nullable() });

export const taxRateSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  percent: z.number(),
  category: z.enum(TAX_CATEGORIES),
  exemptionReason: z.string().nullable(),
  profile: z.enum(TAX_PROFILES).nullable(),
  appliesTo: z.enum(TAX_RATE_SCOPES).nullable(),
  components: z.array(z.object({ name: z.string(), percent: z.number() })).nullable(),
  translations: z.partialRecord(z.enum(DOCUMENT_LANGUAGES), translationSchema).nullable(),
  validFrom: day.nullable(),
  validTo: day
    .nullable()
    .meta({ description: 'Last day on which the rate applies; afterwards its successor applies.' }),
  successorId: z.number().int().nullable(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const exampleTaxRate = {
  id: 1,
  name: 'Standard rate',
  percent: 19,
  category: 'S',
  exemptionReason: null,
  profile: 'domestic',
  appliesTo: null,
  components: null,
  translations: { de: { name: 'Regelsteuersatz', exemptionReason: null } },
  validFrom: '2021-01-01',
  validTo: null,
  successorId: null,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

/** Response body of a tax rate; fields that a rate created by an earlier version lacks are null. */
export const presentTaxRate = (record: TaxRateRecord) => ({
  id: record.id,
  name: record.name,
  percent: record.percent,
  category: record.category,
  exemptionReason: record.exemptionReason,
  profile: record.profile ?? null,
  appliesTo: record.appliesTo ?? null,
  components: record.components?.map((each) => ({ ...each, percent: Number(each.percent) })) ?? null,
  translations: record.translations ?? null,
  validFrom: record.validFrom,
  validTo: record.validTo,
  successorId: record.successorId,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const editableFields = {
  category: z
    .enum(TAX_CATEGORIES, { error: `must be one of ${TAX_CATEGORIES.join(', ')}` })
    .optional()
    .meta({ description: 'VAT category of EN 16931 (UNTDID 5305). Default: S.' }),
  exemptionReason: line(200)
    .nullable()
    .optional()
    .meta({ description: 'Reason for the exemption; required in categories E, AE, K, G and O, null in the others.' }),
  profile: z
    .enum(TAX_PROFILES, { error: `must be one of ${TAX_PROFILES.join(', ')}` })
    .nullable()
    .optional()
    .meta({ description: 'Profile of customers and vendors whose documents have this rate by default.' }),
  appliesTo: z
    .enum(TAX_RATE_SCOPES, { error: `must be one of ${TAX_RATE_SCOPES.join(', ')}` })
    .nullable()
    .optional()
    .meta({ description: 'What the profile selects the rate for. Default: null, goods and services.' }),
  components: z
    .array(
      z
        .strictObject({ name: line(60), percent })
        .transform(({ name, percent: share }) => ({ name, percent: share.toFixed() })),
      { error: 'must be an array' },
    )
    .min(2, 'must have at least 2 taxes')
    .max(6, 'must have at most 6 taxes')
    .nullable()
    .optional()
    .meta({
      description:
        'The taxes that the rate consists of, such as GST and QST; their percentages add up to `percent`. Documents state each of them.',
    }),
  translations: z
    .partialRecord(
      language,
      z.strictObject(
        { name: line(100), exemptionReason: line(200).nullable().default(null) },
        { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object with a name' : undefined) },
      ),
    )
    .nullable()
    .optional()
    .meta({ description: 'Name and exemption reason by language, for documents in it.' }),
  validFrom: dayInput.nullable().optional(),
  validTo: dayInput.nullable().optional(),
  successorId: recordId.nullable().optional().meta({ description: 'Id of the rate that applies after `validTo`.' }),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'createdAt', 'updatedAt'] as const;
/** Converts the days to their stored form. @throws AppError 400 naming the field */
const parseValidityDays = (
  sent: { validFrom?: string | null | undefined; validTo?: string | null | undefined },
  timeZone: string,
) => ({
  validFrom: parseCalendarField('validFrom', sent.validFrom, timeZone),
  validTo: parseCalendarField('validTo', sent.validTo, timeZone),
});

export const taxRateRoutes = defineRecordRoutes({
  path: '/api/config/tax-rates',
  tag: 'Configuration',
  nouns: { one: 'tax rate', many: 'tax rates' },
  permissions: { read: 'config:read', create: 'config:update', update: 'config:update' },
  ...definePresentation(taxRateSchema, exampleTaxRate, presentTaxRate),
  get: getTaxRate,
  list: {
    operationId: 'listTaxRates',
    summary: 'List tax rates',
    query: z.strictObject({ ...listParameters(TAX_RATE_SORT_FIELDS), ...activeParameter }),
    read: (caller, query, listRequest) =>
      listTaxRates(caller, parseActiveFilter(query, caller.company.timeZone), listRequest),
  },
  detail: { operationId: 'getTaxRate', summary: 'Tax rate detail', addition: true },
  create: {
    operationId: 'createTaxRate',
    summary: 'Create a tax rate',
    addition: true,
    body: z.strictObject({ name: line(100), percent, ...editableFields }),
    bodyExample: { name: 'Reduced rate', percent: 7 },
    message: ({ name }) => `Tax rate ${name} created.`,
    exampleMessage: 'Tax rate Standard rate created.',
    create: (platform, caller, body, use) =>
      createTaxRate(platform, caller, { ...body, ...parseValidityDays(body, caller.company.timeZone) }, use),
  },
  update: {
    operationId: 'updateTaxRate',
    summary: 'Update a tax rate',
    description:
      'Changes the fields that are sent. The percentage and category of a rate cannot change once a document has been issued with it: create a new rate, then set `validTo` and `successorId` of the old one. Honours If-Match.',
    addition: true,
    body: z.strictObject({
      name: line(100).optional(),
      percent: percent.optional(),
      ...editableFields,
      ...readOnlyFields(READ_ONLY),
    }),
    bodyExample: { name: 'Standard rate until 2026', validTo: '2026-12-31' },
    readOnly: READ_ONLY,
    update: (platform, caller, at, input) =>
      updateTaxRate(platform, caller, at, { ...input, ...parseValidityDays(input, caller.company.timeZone) }),
    errors: {
      409: '`tax_rate_in_use`: orders or documents use the rate; `is_default`: the default rate of the company cannot be deactivated.',
    },
  },
});

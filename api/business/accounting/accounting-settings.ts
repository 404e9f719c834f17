import { z } from 'zod';
import {
  ACCOUNT_PURPOSE_NAMES,
  ACCOUNT_PURPOSES,
  ACCOUNT_TYPES,
  CHART_PRESETS,
} from '../../../domain/business/accounting/accounts';
import type { TaxAccounts } from '../../../domain/business/accounting/accounts';
import { PRESET_CHARTS } from '../../../domain/business/accounting/charts';
import { Decimal } from '../../../domain/business/decimal';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import type { AccountingSettingsRecord } from '../../../models/business/accounting/accounting-settings';
import {
  getLatestChart,
  listPurposeAccounts,
  readAccountingSettings,
  updateAccountingSettings,
} from '../../../services/business/accounting/accounting-settings';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { day, flag, line, NULLABLE_DECIMAL, percent, readOnlyFields } from '../fields';
import { buildEtagHeader, omitFields, parseIfMatch, stripReadOnlyFields } from '../revisions';
import { serializeResponse } from '../serialization';
import { ACCOUNTING_TAG } from './journal';

const PATH = '/api/config/accounting';
const NUMBER_PROBLEM = 'must have 3 to 9 digits';

const accountInput = z.strictObject({
  number: z.string({ error: NUMBER_PROBLEM }).regex(/^\d{3,9}$/, NUMBER_PROBLEM),
  name: line(100),
});
const taxInput = z.strictObject({
  category: z.enum(TAX_CATEGORIES, { error: `must be one of ${TAX_CATEGORIES.join(', ')}` }),
  percent: percent.nullable().meta({
    ...NULLABLE_DECIMAL,
    description: 'Percentage; null: every percentage without accounts of its own.',
  }),
  revenue: accountInput,
  discounts: accountInput
    .nullable()
    .optional()
    .meta({ description: 'Discounts for early payment; null: the account of the purpose `discounts_granted`.' }),
  outputTax: accountInput.nullable(),
  purchases: accountInput,
  inputTax: accountInput.nullable(),
  selfAssessed: z
    .strictObject({ percent, outputTax: accountInput, inputTax: accountInput })
    .nullable()
    .meta({ description: 'Tax on purchases for which the company is liable as the buyer; null if the seller is.' }),
  datev: z.strictObject({
    automaticRevenue: flag.meta({
      description: 'Whether DATEV computes the tax of the revenue account, so that gross amounts are exported.',
    }),
    purchaseKey: z
      .string({ error: 'must be a text of 1 to 4 digits or null' })
      .regex(/^\d{1,4}$/, 'must be a text of 1 to 4 digits or null')
      .nullable()
      .meta({ description: 'DATEV tax key of purchases; null: net and tax are exported separately.' }),
  }),
});

const account = z.object({ number: z.string(), name: z.string() });
const taxSchema = z.object({
  category: z.enum(TAX_CATEGORIES),
  percent: z.number().nullable(),
  revenue: account,
  discounts: account.nullable(),
  outputTax: account.nullable(),
  purchases: account,
  inputTax: account.nullable(),
  selfAssessed: z.object({ percent: z.number(), outputTax: account, inputTax: account }).nullable(),
  datev: z.object({ automaticRevenue: z.boolean(), purchaseKey: z.string().nullable() }),
});

const settingsSchema = z.object({
  preset: z.enum(CHART_PRESETS),
  chartValidFrom: day
    .nullable()
    .meta({ description: 'First day on which this chart applies; null: from the beginning.' }),
  accounts: z.array(account.extend({ purpose: z.enum(ACCOUNT_PURPOSE_NAMES), type: z.enum(ACCOUNT_TYPES) })),
  taxes: z.array(taxSchema).meta({ description: 'Accounts by tax category and percentage.' }),
  fiscalYearStartMonth: z.number().int(),
  datevAccountLength: z.number().int(),
  datevConsultantNumber: z.number().int().nullable(),
  datevClientNumber: z.number().int().nullable(),
});

const presentTax = ({ percent: rate, selfAssessed, ...tax }: TaxAccounts) => ({
  ...tax,
  discounts: tax.discounts ?? null,
  percent: rate === null ? null : new Decimal(rate),
  selfAssessed: selfAssessed === null ? null : { ...selfAssessed, percent: new Decimal(selfAssessed.percent) },
});

function presentSettings(record: AccountingSettingsRecord) {
  const chart = getLatestChart(record);
  return {
    preset: chart.preset,
    chartValidFrom: chart.validFrom,
    accounts: listPurposeAccounts(chart).map((each) => ({ ...each, type: ACCOUNT_PURPOSES[each.purpose] })),
    taxes: chart.taxes.map(presentTax),
    fiscalYearStartMonth: record.fiscalYearStartMonth,
    datevAccountLength: record.datevAccountLength,
    datevConsultantNumber: record.datevConsultantNumber,
    datevClientNumber: record.datevClientNumber,
  };
}

const exampleSettings = serializeResponse(
  {
    ...presentSettings({
      _id: '',
      fiscalYearStartMonth: 1,
      datevAccountLength: 4,
      datevConsultantNumber: 29_098,
      datevClientNumber: 55_003,
      charts: [{ validFrom: null, preset: 'skr03', ...PRESET_CHARTS.skr03 }],
      version: 1,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    }),
  },
  'UTC',
);

const wholeNumber = (min: number, max: number) => {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z.number({ error: problem }).int(problem).min(min, problem).max(max, problem);
};

const READ_ONLY = ['chartValidFrom'] as const;

const settingsBody = z.strictObject({
  preset: z
    .enum(CHART_PRESETS, { error: `must be one of ${CHART_PRESETS.join(', ')}` })
    .optional()
    .meta({ description: 'Another preset replaces all accounts, except those that are sent with it.' }),
  accounts: z
    .array(
      accountInput.extend({
        purpose: z.enum(ACCOUNT_PURPOSE_NAMES, { error: `must be one of ${ACCOUNT_PURPOSE_NAMES.join(', ')}` }),
        type: z.enum(ACCOUNT_TYPES).optional().meta({ readOnly: true, description: 'Follows from the purpose.' }),
      }),
    )
    .max(100, 'must have at most 100 accounts')
    .optional()
    .meta({ description: 'Accounts to change; other purposes keep theirs.' }),
  taxes: z
    .array(taxInput)
    .max(100, 'must have at most 100 rows')
    .optional()
    .meta({ description: 'The whole table, with a row for every percentage (`percent` null) of each category.' }),
  fiscalYearStartMonth: wholeNumber(1, 12).optional(),
  datevAccountLength: wholeNumber(4, 8)
    .optional()
    .meta({ description: 'Number of digits of general ledger accounts in DATEV.' }),
  datevConsultantNumber: wholeNumber(1001, 9_999_999).nullable().optional(),
  datevClientNumber: wholeNumber(1, 99_999).nullable().optional(),
  ...readOnlyFields(READ_ONLY),
});

const toTaxAccounts = ({ percent: rate, selfAssessed, ...tax }: z.infer<typeof taxInput>): TaxAccounts => ({
  ...tax,
  discounts: tax.discounts ?? null,
  percent: rate === null ? null : rate.toFixed(),
  selfAssessed: selfAssessed === null ? null : { ...selfAssessed, percent: selfAssessed.percent.toFixed() },
});

const settingsReply = { schema: z.object({ data: settingsSchema }), example: { data: exampleSettings } };

const read = defineRoute({
  method: 'get',
  path: PATH,
  operationId: 'getAccountingSettings',
  summary: 'Get the chart of accounts and the accounting settings',
  tag: ACCOUNTING_TAG,
  addition: true,
  permission: 'accounting:read',
  replies: { 200: { description: 'The settings.', ...settingsReply } },
  async handle(context) {
    const caller = await getCaller(context);
    const record = await readAccountingSettings(caller.organisationId);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentSettings(record) }, caller.company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: PATH,
  operationId: 'updateAccountingSettings',
  summary: 'Update the chart of accounts and the accounting settings',
  description:
    'Changes the fields that are sent. A changed chart applies from the day after the period lock on, and without a lock to all entries; entries of locked days keep their accounts. Honours If-Match.',
  tag: ACCOUNTING_TAG,
  addition: true,
  permission: 'accounting:update',
  body: settingsBody,
  bodyExample: { preset: 'skr03', datevConsultantNumber: 29_098, datevClientNumber: 55_003 },
  replies: { 200: { description: 'The updated settings.', ...settingsReply } },
  errors: { 412: 'The record has changed since the version that If-Match names.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = presentSettings(await readAccountingSettings(caller.organisationId));
    const sent = omitFields(stripReadOnlyFields(body, serializeResponse(current, timeZone), READ_ONLY), READ_ONLY);
    const { accounts, taxes, ...fields } = sent;
    const input = {
      ...fields,
      accounts: accounts?.map(({ purpose, number, name }) => ({ purpose, number, name })),
      taxes: taxes?.map(toTaxAccounts),
    };
    const record = await updateAccountingSettings(context.platform, caller, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentSettings(record) }, timeZone),
    };
  },
});

export const accountingSettingsRoutes: readonly Route[] = [read, update];

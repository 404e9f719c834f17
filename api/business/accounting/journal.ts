import { z } from 'zod';
import { VAT_PERIODS, VAT_TREATMENTS } from '../../../domain/business/accounting/vat-report';
import type { VatPeriod } from '../../../domain/business/accounting/vat-report';
import { Decimal } from '../../../domain/business/decimal';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import { requireRangeOrder } from '../../../domain/date-range';
import { readJournalPage } from '../../../services/business/accounting/journal';
import { readJournal, toJournalCompany } from '../../../services/business/accounting/journal-context';
import type { Days } from '../../../services/business/accounting/journal-context';
import { buildTrialBalance, buildVatReport, FIRST_DAY } from '../../../services/business/accounting/reports';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getCompanyToday } from '../../../services/business/settings/company';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { getCaller } from '../caller';
import { day } from '../fields';
import { buildListResponse, buildListSchema, listParameters, parseCalendarFilter, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';
import { exampleJournalEntry, journalEntrySchema, presentJournalEntry } from './journal-responses';

export const ACCOUNTING_TAG = 'Accounting';

const { page, pageSize, dateFrom, dateTo } = listParameters(['date']);

/** The days of a request; those that it does not state are those of `otherwise`. @throws AppError 400 */
function parseDays(
  caller: BusinessCaller,
  query: { dateFrom?: string | undefined; dateTo?: string | undefined },
  otherwise: Days,
): Days {
  const { from = otherwise.from, to = otherwise.to } = parseCalendarFilter(query, caller.company.timeZone);
  // One of them may be a default.
  requireRangeOrder({ field: 'dateFrom', sent: from, value: from }, { field: 'dateTo', sent: to, value: to });
  return { from, to };
}

const listEntries = defineRoute({
  method: 'get',
  path: '/api/journal',
  operationId: 'listJournalEntries',
  summary: 'List journal entries',
  description:
    'The journal in double entry, by day. Entries are derived from the documents, so there is nothing to edit; a document of a locked period always has the same entry. `dateFrom` and `dateTo` select days.',
  tag: ACCOUNTING_TAG,
  addition: true,
  permission: 'accounting:read',
  query: z.strictObject({ page, pageSize, dateFrom, dateTo }),
  replies: {
    200: {
      description: 'A page of entries and the exact total.',
      schema: buildListSchema(journalEntrySchema),
      example: { data: [exampleJournalEntry], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const days = parseDays(caller, query, { from: FIRST_DAY, to: getCompanyToday(context.platform, caller) });
    const listRequest = toListRequest(query, { by: 'date', dir: 'asc' });
    const { rows, totalCount } = await readJournal(toJournalCompany(caller), (journal) =>
      readJournalPage(journal, days, listRequest),
    );
    const body = buildListResponse(rows.map(presentJournalEntry), totalCount, listRequest);
    return { status: 200, body: serializeResponse(body, caller.company.timeZone) };
  },
});

/** The current year until today. */
function getCurrentYear({ platform }: RouteContext, caller: BusinessCaller): Days {
  const today = getCompanyToday(platform, caller);
  return { from: `${today.slice(0, 4)}-01-01`, to: today };
}

const accountTotalsSchema = z.object({
  number: z.string(),
  name: z.string(),
  opening: z.number().meta({ description: 'Balance before the first day; debits are positive.' }),
  debit: z.number(),
  credit: z.number(),
  closing: z.number().meta({ description: 'Opening balance plus debits less credits.' }),
});

const trialBalanceSchema = z.object({
  dateFrom: day,
  dateTo: day,
  currencyCode: z.string(),
  accounts: z.array(accountTotalsSchema),
});

const trialBalance = defineRoute({
  method: 'get',
  path: '/api/reports/trial-balance',
  operationId: 'getTrialBalance',
  summary: 'Sums of the journal by account',
  description: 'Opening balance, debits, credits and closing balance of every account, in base currency.',
  tag: ACCOUNTING_TAG,
  addition: true,
  permission: 'accounting:read',
  query: z.strictObject({
    dateFrom: dateFrom.meta({ description: 'First day. Default: 1 January of the current year.' }),
    dateTo: dateTo.meta({ description: 'Last day. Default: today.' }),
  }),
  replies: {
    200: {
      description: 'The accounts with movements, by number.',
      schema: z.object({ data: trialBalanceSchema }),
      example: {
        data: {
          dateFrom: '2026-01-01',
          dateTo: '2026-11-21',
          currencyCode: 'EUR',
          accounts: [
            { number: '1400', name: 'Forderungen', opening: 100, debit: 119, credit: 100, closing: 119 },
            { number: '8400', name: 'Erlöse 19 % USt', opening: 0, debit: 0, credit: 100, closing: -100 },
          ],
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const days = parseDays(caller, query, getCurrentYear(context, caller));
    const data = {
      dateFrom: days.from,
      dateTo: days.to,
      currencyCode: caller.company.baseCurrencyCode,
      accounts: await buildTrialBalance(caller, days),
    };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const vatRowSchema = z.object({
  direction: z.enum(['output', 'input', 'self_assessed']).meta({
    description: 'Sales, purchases, or purchases for which the company is liable for the tax as the buyer.',
  }),
  treatment: z.enum(VAT_TREATMENTS),
  category: z.enum(TAX_CATEGORIES),
  percent: z.number(),
  net: z.number(),
  tax: z.number(),
  components: z.array(z.object({ name: z.string(), percent: z.number(), net: z.number(), tax: z.number() })).meta({
    description:
      'The taxes of rates that have several, such as those of a state and a county: the net amounts subject to each, and its part of `tax`. Empty for other rates. Discounts for early payment and write-offs are split like their document.',
  }),
});

const vatPeriodSchema = z.object({
  period: z.string().meta({ description: '`YYYY-MM`, `YYYY-Qn`, or the first and last day of the report.' }),
  rows: z.array(vatRowSchema),
  outputTax: z.number(),
  inputTax: z.number(),
  selfAssessedTax: z.number().meta({ description: 'Charged and deducted in the same period.' }),
  payable: z.number().meta({ description: 'Output tax less input tax; negative if tax is refunded.' }),
});

const presentVatPeriod = ({ rows, ...totals }: VatPeriod) => ({
  ...totals,
  rows: rows.map(({ percent, components, ...row }) => ({
    ...row,
    percent: new Decimal(percent),
    components: components.map((each) => ({ ...each, percent: new Decimal(each.percent) })),
  })),
});

const exampleVatRow = { category: 'S', treatment: 'taxed', percent: 19, components: [] } as const;

const vatReport = defineRoute({
  method: 'get',
  path: '/api/reports/vat',
  operationId: 'getVatReport',
  summary: 'VAT report',
  description:
    'Net amounts and taxes by period, direction and rate, in base currency, by the date of each document (accrual). Credit notes count on their date, a void on its day. Zero-rated, exempt, reverse-charge, intra-community and export amounts have rows of their own. A rate of several taxes is split into `components`.',
  tag: ACCOUNTING_TAG,
  addition: true,
  permission: 'accounting:read',
  query: z.strictObject({
    dateFrom: dateFrom.meta({ description: 'First day. Default: 1 January of the current year.' }),
    dateTo: dateTo.meta({ description: 'Last day. Default: today.' }),
    period: z
      .enum(VAT_PERIODS, { error: `must be one of ${VAT_PERIODS.join(', ')}` })
      .optional()
      .meta({ description: 'Length of the periods.', default: 'month' }),
  }),
  replies: {
    200: {
      description: 'The periods with figures, earliest first.',
      schema: z.object({
        data: z.object({ dateFrom: day, dateTo: day, currencyCode: z.string(), periods: z.array(vatPeriodSchema) }),
      }),
      example: {
        data: {
          dateFrom: '2026-11-01',
          dateTo: '2026-11-30',
          currencyCode: 'EUR',
          periods: [
            {
              period: '2026-11',
              rows: [
                { ...exampleVatRow, direction: 'output', net: 1000, tax: 190 },
                { ...exampleVatRow, direction: 'input', net: 400, tax: 76 },
              ],
              outputTax: 190,
              inputTax: 76,
              selfAssessedTax: 0,
              payable: 114,
            },
          ],
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const days = parseDays(caller, query, getCurrentYear(context, caller));
    const periods = await buildVatReport(caller, days, query.period ?? 'month');
    const data = {
      dateFrom: days.from,
      dateTo: days.to,
      currencyCode: caller.company.baseCurrencyCode,
      periods: periods.map(presentVatPeriod),
    };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const journalRoutes: readonly Route[] = [listEntries, trialBalance, vatReport];

import { z } from 'zod';
import { ITEM_STATE_FILTERS } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { ITEM_SORT_FIELDS, listItems, requireParty } from '../../../services/business/payments/accounts';
import { buildAgingReport, computePartyBalance } from '../../../services/business/payments/aging';
import { getCompanyToday } from '../../../services/business/settings/company';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { PARTY_FIELD } from '../../../services/business/parties/parties';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import {
  buildAgingSchema,
  presentAging,
  balanceSchema,
  presentBalance,
  buildOpenItemSchema,
  presentOpenItem,
} from './account-responses';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { dayInput, parseCalendarField, idPath } from '../fields';
import {
  parseCalendarFilter,
  buildListResponse,
  choicesParameter,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdParameter,
  recordIdsParameter,
} from '../listing';

/** Names of one side in paths, permissions and operation ids. */
export const SIDE_NAMES = {
  receivable: { path: '/api/receivables', module: 'receivables', operation: 'Receivable', tag: 'Receivables' },
  payable: { path: '/api/payables', module: 'payables', operation: 'Payable', tag: 'Payables' },
} as const;

const PARTY_NOUN = { receivable: 'a customer', payable: 'a vendor' } as const;

/** The party filter of the lists: `customerId` or `vendorId`. */
export const buildPartiesParameter = (side: LedgerSide) => ({
  [PARTY_FIELD[side]]: recordIdsParameter(PARTY_NOUN[side]),
});

/** The filters of the lists by document, payment and credit note. */
export const buildItemParameters = (side: LedgerSide) => ({
  documentId: recordIdsParameter(side === 'receivable' ? 'an invoice' : 'a payable'),
  paymentId: recordIdsParameter('a payment'),
  creditNoteId: recordIdsParameter('a credit note'),
});

/** The ids of the filter `customerId` or `vendorId` of a parsed query; undefined without the filter. */
export const readPartyIds = (side: LedgerSide, query: object): number[] | undefined => {
  const value = new Map<string, unknown>(Object.entries(query)).get(PARTY_FIELD[side]);
  return Array.isArray(value) ? value.map(Number) : undefined;
};

const readPartyId = (side: LedgerSide, query: object): number | undefined => {
  const value = new Map<string, unknown>(Object.entries(query)).get(PARTY_FIELD[side]);
  return typeof value === 'number' ? value : undefined;
};

const asOfParameter = {
  asOf: dayInput.optional().meta({
    'x-addition': true,
    description: 'Date of the report. Default: today in the time zone of the company.',
  }),
};

const resolveAsOfDay = ({ platform }: RouteContext, caller: BusinessCaller, asOf: string | undefined): string =>
  parseCalendarField('asOf', asOf, caller.company.timeZone) ?? getCompanyToday(platform, caller);

const defineListRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: names.path,
    operationId: `list${names.operation}s`,
    summary: `List ${names.module}`,
    description:
      'Open documents by due date; `state` selects others. `dateFrom` and `dateTo` filter the date of the document.',
    tag: names.tag,
    permission: `${names.module}:read`,
    query: z.strictObject({
      ...listParameters(ITEM_SORT_FIELDS),
      ...buildPartiesParameter(side),
      state: choicesParameter(ITEM_STATE_FILTERS, 'open'),
    }),
    replies: {
      200: {
        description: 'A page of documents and the exact total.',
        schema: buildListSchema(buildOpenItemSchema(side)),
      },
    },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const { timeZone, baseCurrencyCode } = caller.company;
      const listRequest = toListRequest(query, { by: 'dueDate', dir: 'asc' });
      const partyId = readPartyIds(side, query);
      const filter = { state: query.state ?? (['open'] as const), partyId, ...parseCalendarFilter(query, timeZone) };
      const today = getCompanyToday(context.platform, caller);
      const { rows, totalCount } = await listItems(caller, side, filter, listRequest, today);
      const items = rows.map((item) => presentOpenItem(item, today, baseCurrencyCode));
      return { status: 200, body: serializeResponse(buildListResponse(items, totalCount, listRequest), timeZone) };
    },
  });
};

const defineAgingRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/aging`,
    operationId: `get${names.operation}Aging`,
    summary: `Aging of ${names.module}`,
    description:
      'Amounts per party and currency as of any date: not due, 1–30, 31–60, 61–90 and more than 90 days past due, unapplied credit, and net.',
    tag: names.tag,
    ...(side === 'payable' ? { addition: true } : {}),
    permission: `${names.module}:read`,
    query: z.strictObject({
      ...asOfParameter,
      [PARTY_FIELD[side]]: recordIdParameter(PARTY_NOUN[side]),
    }),
    replies: { 200: { description: 'The aging report.', schema: z.object({ data: buildAgingSchema(side) }) } },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const { timeZone, baseCurrencyCode } = caller.company;
      const report = await buildAgingReport(
        caller,
        side,
        resolveAsOfDay(context, caller, query.asOf),
        readPartyId(side, query),
      );
      return { status: 200, body: serializeResponse({ data: presentAging(side, report, baseCurrencyCode) }, timeZone) };
    },
  });
};

const defineBalanceRoute = (side: LedgerSide): Route => {
  const parties = side === 'receivable' ? 'customers' : 'vendors';
  return defineRoute({
    method: 'get',
    path: `/api/${parties}/:id/balance`,
    operationId: `get${side === 'receivable' ? 'Customer' : 'Vendor'}Balance`,
    summary: side === 'receivable' ? 'Receivable balance' : 'Payable balance',
    tag: side === 'receivable' ? 'Customers' : 'Vendors',
    ...(side === 'payable' ? { addition: true } : {}),
    permission: `${SIDE_NAMES[side].module}:read`,
    params: idPath,
    query: z.strictObject(asOfParameter),
    replies: {
      200: { description: 'Balance, overdue amount and unapplied credit.', schema: z.object({ data: balanceSchema }) },
    },
    async handle(context, { params, query }) {
      const caller = await getCaller(context);
      await requireParty(caller, side, params.id);
      const { timeZone, baseCurrencyCode } = caller.company;
      const data = await computePartyBalance(caller, side, params.id, resolveAsOfDay(context, caller, query.asOf));
      return { status: 200, body: serializeResponse({ data: presentBalance(data, baseCurrencyCode) }, timeZone) };
    },
  });
};

/** Routes of receivables or payables: list, aging, balance of one party. */
export const createAccountRoutes = (side: LedgerSide): readonly Route[] => [
  defineListRoute(side),
  defineAgingRoute(side),
  defineBalanceRoute(side),
];

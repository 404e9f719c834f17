import contentDisposition from 'content-disposition';
import { z } from 'zod';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { Decimal } from '../../../domain/business/decimal';
import {
  buildStatementFileName,
  STATEMENT_CONTENT_TYPES,
  STATEMENT_FORMATS,
  STATEMENT_ROW_KINDS,
  toStatementCsv,
} from '../../../domain/business/payments/statement';
import type { StatementDocument } from '../../../domain/business/payments/statement';
import { requireRangeOrder } from '../../../domain/date-range';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { buildStatement, MAX_STATEMENT_ROWS, printStatement } from '../../../services/business/payments/statements';
import { getCompanyToday } from '../../../services/business/settings/company';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { getCaller } from '../caller';
import { day, dayInput, idPath, parseCalendarField } from '../fields';
import { serializeResponse } from '../serialization';

/** Shorter than the 30 s after which common proxies and clients give up. */
const MAX_WAIT_MS = 25_000;

const statementSchema = z.object({
  customerId: z.number().int(),
  from: day,
  to: day,
  language: z.enum(DOCUMENT_LANGUAGES),
  accounts: z.array(
    z.object({
      currencyCode: z.string(),
      opening: z
        .number()
        .meta({ description: 'Balance before the first day; positive if it is due from the customer.' }),
      rows: z.array(
        z.object({
          date: day,
          kind: z.enum(STATEMENT_ROW_KINDS),
          number: z.string(),
          dueDate: day.nullable(),
          amount: z.number(),
          balance: z.number(),
        }),
      ),
      closing: z.number(),
    }),
  ),
});

const exampleStatement = {
  customerId: 1,
  from: '2026-11-01',
  to: '2026-11-30',
  language: 'en' as const,
  accounts: [
    {
      currencyCode: 'EUR',
      opening: 0,
      rows: [
        {
          date: '2026-11-21',
          kind: 'invoice' as const,
          number: 'INV-2026-000001',
          dueDate: '2026-12-21',
          amount: 120,
          balance: 120,
        },
      ],
      closing: 120,
    },
  ],
};

const presentStatement = ({ customer, from, to, language, accounts }: StatementDocument) => ({
  customerId: customer.id,
  from,
  to,
  language,
  accounts: accounts.map(({ currencyCode, opening, rows, closing }) => ({
    currencyCode,
    opening: new Decimal(opening),
    rows: rows.map(({ date, kind, number, dueDate, amount, balance }) => ({
      date,
      kind,
      number,
      dueDate,
      amount: new Decimal(amount),
      balance: new Decimal(balance),
    })),
    closing: new Decimal(closing),
  })),
});

/** Fields that choose the period of a statement. */
export const periodParameters = {
  dateFrom: dayInput.optional().meta({ description: 'First day. Default: the first day of the year of the last day.' }),
  dateTo: dayInput.optional().meta({ description: 'Last day. Default: today in the time zone of the company.' }),
};

/** Builds the statement of a customer for a period. @throws AppError 400, 404 */
export async function readStatement(
  { platform }: RouteContext,
  caller: BusinessCaller,
  customerId: number,
  query: { dateFrom?: string | undefined; dateTo?: string | undefined },
): Promise<StatementDocument> {
  const { timeZone } = caller.company;
  const to = parseCalendarField('dateTo', query.dateTo, timeZone) ?? getCompanyToday(platform, caller);
  const from = parseCalendarField('dateFrom', query.dateFrom, timeZone) ?? `${to.slice(0, 4)}-01-01`;
  requireRangeOrder({ field: 'dateFrom', sent: from, value: from }, { field: 'dateTo', sent: to, value: to });
  return buildStatement(platform, caller, customerId, { from, to });
}

const read = defineRoute({
  method: 'get',
  path: '/api/customers/:id/statement',
  operationId: 'getCustomerStatement',
  summary: 'Statement of a customer',
  description:
    `Opening balance, documents, payments and other entries of a period with the balance after each, by currency; at most ${MAX_STATEMENT_ROWS} rows. ` +
    'Allocations of payments to invoices are left out, since they do not change the balance.',
  tag: 'Customers',
  addition: true,
  permission: 'receivables:read',
  params: idPath,
  query: z.strictObject(periodParameters),
  replies: {
    200: {
      description: 'The statement.',
      schema: z.object({ data: statementSchema }),
      example: { data: exampleStatement },
    },
  },
  async handle(context, { params, query }) {
    const caller = await getCaller(context);
    const data = presentStatement(await readStatement(context, caller, params.id, query));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const download = defineRoute({
  method: 'get',
  path: '/api/customers/:id/statement/file',
  operationId: 'downloadCustomerStatement',
  summary: 'Statement of a customer as a file',
  description:
    '`format=pdf` prints the statement in the language of the customer, and waits for it at most 25 s; `format=csv` has one line per entry, and opening and closing balances.',
  tag: 'Customers',
  addition: true,
  permission: 'receivables:read',
  params: idPath,
  query: z.strictObject({
    ...periodParameters,
    format: z.enum(STATEMENT_FORMATS, { error: `accepts ${STATEMENT_FORMATS.join(', ')}` }).default('pdf'),
  }),
  replies: { 200: { description: 'The file.', contentType: ['application/pdf', 'text/csv'] } },
  errors: { 503: '`pdf_not_ready` or `rendering_failed`: send the request again after Retry-After seconds.' },
  async handle(context, { params, query }) {
    const caller = await getCaller(context);
    const document = await readStatement(context, caller, params.id, query);
    const isPdf = query.format === 'pdf';
    const bytes = isPdf
      ? await printStatement(context.platform, caller, document, MAX_WAIT_MS)
      : Buffer.from(toStatementCsv(document));
    return {
      status: 200,
      bytes,
      contentType: STATEMENT_CONTENT_TYPES[query.format],
      headers: {
        'Content-Disposition': contentDisposition(buildStatementFileName(document, query.format)),
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    };
  },
});

export const statementRoutes: readonly Route[] = [read, download];

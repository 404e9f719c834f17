import { z } from 'zod';
import {
  MAX_STATEMENT_FILE_BYTES,
  MAX_STATEMENT_TRANSACTIONS,
  MAX_STATEMENTS,
  STATEMENT_FORMATS,
} from '../../../domain/business/banking/bank-statement';
import { invalidFieldError } from '../../../domain/errors';
import { CSV_DATE_FORMATS } from '../../../services/business/banking/formats/csv';
import type { CsvMapping } from '../../../services/business/banking/formats/csv';
import {
  BANK_STATEMENT_SORT_FIELDS,
  getStatement,
  listStatements,
} from '../../../services/business/banking/bank-transactions';
import { importStatements } from '../../../services/business/banking/statement-import';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { idPath, line } from '../fields';
import { buildListResponse, buildListSchema, listParameters, parseCalendarFilter, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';
import { exampleStatement, presentStatement, statementSchema } from './banking-responses';

export const BANKING_TAG = 'Banking';

const column = line(100).meta({ description: 'Name of the column in the header.' });

const mappingSchema = z.strictObject({
  bookingDate: column,
  amount: column,
  valueDate: column.optional(),
  currency: column.optional(),
  counterpartyName: column.optional(),
  counterpartyIban: column.optional(),
  remittance: column.optional(),
  endToEndId: column.optional(),
  bankReference: column.optional(),
  delimiter: z.enum([',', ';', '\t'], { error: 'must be a comma, semicolon or tab' }).optional(),
  dateFormat: z.enum(CSV_DATE_FORMATS, { error: `must be one of ${CSV_DATE_FORMATS.join(', ')}` }).optional(),
  decimalSeparator: z.enum(['.', ','], { error: 'must be . or ,' }).optional(),
  skipLines: z
    .number({ error: 'must be a whole number from 0 to 100' })
    .int('must be a whole number from 0 to 100')
    .min(0, 'must be a whole number from 0 to 100')
    .max(100, 'must be a whole number from 0 to 100')
    .optional(),
});

/** The mapping of a CSV file, which a text field has as JSON. @throws AppError 400 naming each wrong field */
function parseMapping(text: string | undefined): CsvMapping | undefined {
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidFieldError('mapping', 'must be JSON, such as {"bookingDate": "Date", "amount": "Amount"}');
  }
  const parsed = mappingSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = ['mapping', ...(issue?.path ?? [])].join('.');
  throw invalidFieldError(path, issue?.message ?? 'is not a mapping');
}

const importRoute = defineRoute({
  method: 'post',
  path: '/api/bank-statements',
  operationId: 'importBankStatements',
  summary: 'Import bank statements',
  description: [
    `Imports the statements of a file: camt.053 (ISO 20022), MT940 (SWIFT) or CSV, at most ${MAX_STATEMENT_FILE_BYTES / 1024 / 1024} MB, ${MAX_STATEMENTS} statements and ${MAX_STATEMENT_TRANSACTIONS} booked transactions. Balances must add up.`,
    'A statement that was imported before has no effect, and a transaction that an earlier statement of the account had is not imported again.',
    'A CSV file needs `mapping`, a JSON text with the names of its columns (`bookingDate` and `amount` are required) and, if they differ, `delimiter` (`,`), `dateFormat` (`YYYY-MM-DD`), `decimalSeparator` (`.`) and `skipLines` (0).',
  ].join('\n\n'),
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:create',
  idempotent: true,
  body: z.strictObject({
    format: z.enum(STATEMENT_FORMATS, { error: `must be one of ${STATEMENT_FORMATS.join(', ')}` }),
    mapping: z.string().max(5000, 'must have at most 5000 characters').optional(),
    account: line(40).optional().meta({ description: 'Account of a CSV file, which does not state it.' }),
  }),
  files: { file: { required: true, description: 'The statement, at most 5 MB.' } },
  replies: {
    201: {
      description: 'The statements of the file, of which at least one is new.',
      schema: z.object({ data: z.array(statementSchema), message: z.string() }),
      example: { data: [exampleStatement], message: '1 of 1 statements imported.' },
    },
    200: {
      description: 'All statements of the file were imported before.',
      schema: z.object({ data: z.array(statementSchema), message: z.string() }),
      example: { data: [exampleStatement], message: '0 of 1 statements imported.' },
    },
  },
  errors: { 413: '`file_too_large`: the file is larger than 5 MB.', 415: 'The body is not multipart.' },
  async handle(context, { body, files }) {
    const caller = await getCaller(context);
    const input = {
      format: body.format,
      file: files['file']?.body ?? Buffer.alloc(0),
      mapping: parseMapping(body.mapping),
      account: body.account,
    };
    if (input.format === 'csv' && input.mapping === undefined)
      throw invalidFieldError('mapping', 'is required for CSV');
    const imported = await importStatements(context.platform, caller, input, context.idempotency);
    const added = imported.filter(({ isNew }) => isNew).length;
    const reply = serializeResponse(
      {
        data: imported.map(({ statement }) => presentStatement(statement)),
        message: `${added} of ${imported.length} statements imported.`,
      },
      caller.company.timeZone,
    );
    return { status: added > 0 ? 201 : 200, body: reply };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/api/bank-statements',
  operationId: 'listBankStatements',
  summary: 'List imported bank statements',
  description: '`dateFrom` and `dateTo` filter the last booking date.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:read',
  query: z.strictObject(listParameters(BANK_STATEMENT_SORT_FIELDS)).omit({ search: true }),
  replies: {
    200: {
      description: 'A page of statements and the exact total.',
      schema: buildListSchema(statementSchema),
      example: { data: [exampleStatement], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'desc' });
    const { rows, totalCount } = await listStatements(caller, parseCalendarFilter(query, timeZone), listRequest);
    const body = buildListResponse(rows.map(presentStatement), totalCount, listRequest);
    return { status: 200, body: serializeResponse(body, timeZone) };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/bank-statements/:id',
  operationId: 'getBankStatement',
  summary: 'Get an imported bank statement',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:read',
  params: idPath,
  replies: {
    200: {
      description: 'The statement.',
      schema: z.object({ data: statementSchema }),
      example: { data: exampleStatement },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = presentStatement(await getStatement(caller, params.id));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const bankStatementRoutes: readonly Route[] = [importRoute, list, detail];

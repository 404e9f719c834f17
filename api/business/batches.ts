import { z } from 'zod';
import { invalidRequestError } from '../../domain/errors';
import type { AppError, FieldProblem } from '../../domain/errors';
import type { BusinessCaller } from '../../services/business/access/caller';
import { runBatch } from '../../services/business/records/batches';
import type { RowOutcome } from '../../services/business/records/batches';
import type { IdempotentUse } from '../../services/platform/transactions/idempotency';
import { defineRoute } from '../http/route';
import type { Route, RouteContext } from '../http/route';
import { parsePart } from '../http/validation';
import { getCaller } from './caller';
import { dryRunQuery } from './fields';
import { serializeResponse } from './serialization';

export const MAX_BATCH_ROWS = 100;

/** One row of a batch, as it was sent. */
export interface BatchRow {
  row: Record<string, unknown>;
  /** The Idempotency-Key of the row. */
  use: IdempotentUse | undefined;
  dryRun: boolean;
}

/** What became of a row that was not rejected. */
export interface RowResult {
  status: 'created' | 'updated' | 'valid';
  id: number | null;
  data: Record<string, unknown> | null;
}

interface Batch {
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  permission: string;
  nouns: { one: string; many: string };
  /** What a row is. */
  rows: string;
  data: z.ZodObject;
  exampleRow: object;
  exampleData: object;
  /** Rows that run at the same time; 1 runs them in their order. */
  concurrency: number;
  run(this: void, context: RouteContext, caller: BusinessCaller, row: BatchRow): Promise<RowResult>;
}

/** Parses a row. @throws AppError 400 naming its wrong fields */
export function parseRow<T extends z.ZodType>(schema: T, row: unknown): z.output<T> {
  const problems: FieldProblem[] = [];
  const parsed = parsePart(schema, row, 'row', problems);
  if (problems.length > 0) throw invalidRequestError(problems);
  return parsed;
}

const rowErrorSchema = z.object({
  status: z.number().int().meta({ description: 'The status that the request of the row alone would have.' }),
  code: z.string(),
  message: z.string(),
  errors: z.array(z.string()).meta({ description: 'The wrong fields of the row with their problems.' }),
  details: z.record(z.string(), z.unknown()),
});

const buildBatchSchema = (data: z.ZodObject) =>
  z.object({
    data: z.array(
      z.object({
        row: z.number().int().meta({ description: 'Index of the row in the request, from 0.' }),
        status: z
          .enum(['created', 'updated', 'valid', 'error'])
          .meta({ description: '`valid` is the result of a dry run; `error`: nothing was written for this row.' }),
        id: z.number().int().nullable(),
        data: data.nullable().meta({ description: 'The record; null for an error.' }),
        error: rowErrorSchema.nullable(),
      }),
    ),
    summary: z.object({
      created: z.number().int(),
      updated: z.number().int(),
      valid: z.number().int(),
      failed: z.number().int(),
    }),
  });

function presentError({ status, code, message, details = {} }: AppError) {
  const { fields = [], ...rest } = details;
  return { status, code, message, errors: fields.map(({ field, problem }) => `${field}: ${problem}`), details: rest };
}

const presentOutcome = (outcome: RowOutcome<RowResult>, row: number) =>
  'error' in outcome
    ? { row, status: 'error' as const, id: null, data: null, error: presentError(outcome.error) }
    : { row, ...outcome.value, error: null };

function presentBatch(outcomes: readonly RowOutcome<RowResult>[]) {
  const data = outcomes.map(presentOutcome);
  const count = (status: string): number => data.filter((each) => each.status === status).length;
  const summary = {
    created: count('created'),
    updated: count('updated'),
    valid: count('valid'),
    failed: count('error'),
  };
  return { data, summary };
}

const exampleError = {
  status: 400,
  code: 'invalid_request',
  message: 'The request is not valid.',
  errors: ['name: is required'],
  details: {},
};

const buildDescription = ({ nouns, rows }: Batch): string =>
  [
    `1 to ${MAX_BATCH_ROWS} ${nouns.many}, each with a result of its own: a row that is rejected has no effect on the others. ${rows}`,
    'The response is 200 also if every row is rejected; `summary` counts the results. A request counts once towards the rate limit.',
    'With an `Idempotency-Key`, a repeated request repeats no row that took effect, whatever ended the first, and runs those again that were rejected. After a 5xx, repeat the request with its key.',
  ].join('\n\n');

/** A route that creates or changes many records, with a result for each row. */
export function defineBatchRoute(batch: Batch): Route {
  const { path, operationId, summary, tag, permission, nouns, data, exampleRow, exampleData, concurrency, run } = batch;
  const rows = z
    .array(z.record(z.string(), z.unknown(), { error: 'must be an object' }), { error: 'must be a list' })
    .min(1, 'must have at least one row')
    .max(MAX_BATCH_ROWS, `must have at most ${MAX_BATCH_ROWS} rows`);
  return defineRoute({
    method: 'post',
    path,
    operationId,
    summary,
    description: buildDescription(batch),
    tag,
    addition: true,
    permission,
    idempotent: true,
    query: dryRunQuery,
    body: z.strictObject({ rows }),
    bodyExample: { rows: [exampleRow] },
    replies: {
      200: {
        description: `The results in the order of the rows.`,
        schema: buildBatchSchema(data),
        example: {
          data: [
            { row: 0, status: 'created', id: 1, data: exampleData, error: null },
            { row: 1, status: 'error', id: null, data: null, error: exampleError },
          ],
          summary: { created: 1, updated: 0, valid: 0, failed: 1 },
        },
      },
    },
    errors: {
      409: 'A request with the Idempotency-Key is still running.',
      422: `The Idempotency-Key was used with other ${nouns.many}.`,
    },
    async handle(context, { body, query }) {
      const caller = await getCaller(context);
      const dryRun = query.dryRun === 'true';
      const use = dryRun ? undefined : context.idempotency;
      const outcomes = await runBatch(context.platform, use, { rows: body.rows, limit: concurrency }, (row, rowUse) =>
        run(context, caller, { row, use: rowUse, dryRun }),
      );
      return { status: 200, body: serializeResponse(presentBatch(outcomes), caller.company.timeZone) };
    },
  });
}

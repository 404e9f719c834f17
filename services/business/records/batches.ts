import { AppError } from '../../../domain/errors';
import { runConcurrently } from '../../../lib/run-concurrently';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';

/** The outcome of one row: its value, or the reason why it was rejected. */
export type RowOutcome<T> = { value: T } | { error: AppError };

/** Errors of the request itself, which are not the result of a row. */
const REQUEST_ERRORS: ReadonlySet<string> = new Set(['idempotency_key_reused', 'idempotency_in_progress']);

const isRowError = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && !REQUEST_ERRORS.has(error.code);

/** Each row has a key of its own, so that a repeated request runs only the rows that have not taken effect. */
const buildRowUse = (use: IdempotentUse | undefined, index: number): IdempotentUse | undefined =>
  use === undefined ? undefined : { ...use, route: `${use.route} row`, key: `${index} ${use.key}` };

async function runRows<R, T>(
  rows: readonly R[],
  limit: number,
  use: IdempotentUse | undefined,
  run: (row: R, use: IdempotentUse | undefined) => Promise<T>,
): Promise<RowOutcome<T>[]> {
  const outcomes = new Map<number, RowOutcome<T>>();
  await runConcurrently(rows, limit, async (row, index) => {
    try {
      outcomes.set(index, { value: await run(row, buildRowUse(use, index)) });
    } catch (error) {
      if (!isRowError(error)) throw error;
      outcomes.set(index, { error });
    }
  });
  return rows.flatMap((_, index) => outcomes.get(index) ?? []);
}

/**
 * Runs each row by itself, at most `limit` at the same time. A rejected row has no effect on the others. A request that
 * is repeated with its Idempotency-Key repeats no row that took effect, and runs those again that were rejected.
 * @throws AppError 422 if the key was used with other rows; 409 while the first request runs; any error of status 5xx,
 * after which rows can be left that were not run
 */
export const runBatch = <R, T>(
  platform: Platform,
  use: IdempotentUse | undefined,
  { rows, limit }: { rows: readonly R[]; limit: number },
  run: (row: R, use: IdempotentUse | undefined) => Promise<T>,
): Promise<RowOutcome<T>[]> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      const outcomes = await runRows(rows, limit, use, run);
      if (use !== undefined) await runTransaction(platform, (unit) => claim(unit, 'batch', 200));
      return outcomes;
    },
    () => runRows(rows, limit, use, run),
  );

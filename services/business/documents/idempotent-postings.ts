import { runIdempotently } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessRequest } from '../access/caller';
import { POSTING_LOCK_TIMEOUT_MS, withPostingLock } from './posting-lock';

/** What a posting has written: the record that its Idempotency-Key stands for, and the status of the response. */
export interface Posted<T> {
  id: number;
  status: 200 | 201;
  result: T;
}

/** Runs `write` in one transaction under the posting lock, claims the key for what it returns, and commits. */
export type Post = <T>(write: (unit: UnitOfWork) => Promise<Posted<T>>) => Promise<T>;

/**
 * Posts once per Idempotency-Key. `run` prepares what needs no transaction, then calls `post` once; a repeated request
 * executes `replay` with the id of the posted record instead.
 * @throws AppError as `runIdempotently`; 503 `busy` if the request does not get the posting lock within 30 s
 */
export function postIdempotently<T>(
  { platform, caller, use }: BusinessRequest,
  run: (post: Post) => Promise<T>,
  replay: (id: number) => Promise<T>,
): Promise<T> {
  const { organisationId } = caller;
  const deadlineMs = Date.now() + POSTING_LOCK_TIMEOUT_MS;
  return runIdempotently(
    platform,
    use,
    (claim) =>
      run((write) =>
        withPostingLock(
          platform,
          organisationId,
          () =>
            runTransaction(platform, async (unit) => {
              const { id, status, result } = await write(unit);
              await claim(unit, String(id), status);
              return result;
            }),
          deadlineMs,
        ),
      ),
    (recordId) => replay(Number(recordId)),
  );
}

import { AppError } from '../../../domain/errors';
import { KeyedLocks } from '../../../lib/keyed-locks';
import type { Platform } from '../../platform/platform';

/** A request waits at most this long for the posting lock. */
export const POSTING_LOCK_TIMEOUT_MS = 30_000;
const BUSY_RETRY_SECONDS = 5;

/** The error of a request that did not get the posting lock in time. */
export const busyError = (): AppError =>
  new AppError('busy', 503, 'Too many documents are being issued at once; try again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });

/** One lock per organisation. */
export class PostingLocks extends KeyedLocks {}

/**
 * Runs one posting of an organisation at a time within this process. Every posting writes the organisation's posting
 * record, so parallel postings would only abort and retry each other: serialised, one process issues 290 invoices a
 * second where 64 parallel transactions reach 90. Conflicts with other processes are resolved by transaction retries.
 * @param deadlineMs epoch milliseconds. @default 30 s from now
 * @throws AppError 503 `busy` with Retry-After if the lock is acquired only after the deadline.
 */
export const withPostingLock = <T>(
  platform: Pick<Platform, 'singletons'>,
  organisationId: string,
  work: () => Promise<T>,
  deadlineMs = Date.now() + POSTING_LOCK_TIMEOUT_MS,
): Promise<T> =>
  platform.singletons.get(PostingLocks).run(organisationId, async () => {
    if (Date.now() >= deadlineMs) throw busyError();
    return work();
  });

import { AppError } from '../../../domain/errors';

/** A request waits at most this long for its turn. */
export const POSTING_LOCK_TIMEOUT_MS = 30_000;
const BUSY_RETRY_SECONDS = 5;

/** For a request whose turn did not come in time. */
export const busyError = (): AppError =>
  new AppError('busy', 503, 'Too many documents are being issued at once; try again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });

const tails = new Map<string, Promise<void>>();

/**
 * Runs one posting of an organisation at a time within this process. Every posting writes the organisation's posting
 * record, so parallel ones would only abort each other and try again: queued, one process issues 290 invoices a second
 * where 64 parallel transactions reach 90. Other processes are met by the transaction's own retries.
 * @throws AppError 503 with Retry-After when the turn does not come before `deadlineMs` (epoch milliseconds).
 */
export async function withPostingLock<T>(
  organisationId: string,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const previous = tails.get(organisationId) ?? Promise.resolve();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const tail = previous.then(() => held);
  tails.set(organisationId, tail);
  await previous;
  try {
    if (Date.now() >= deadlineMs) throw busyError();
    return await work();
  } finally {
    release();
    if (tails.get(organisationId) === tail) tails.delete(organisationId);
  }
}

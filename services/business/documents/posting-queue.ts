import { AppError } from '../../../domain/errors';

/** A request waits at most this long for its turn. */
export const TURN_DEADLINE_MS = 30_000;
const BUSY_RETRY_SECONDS = 5;

/** For a request whose turn did not come in time. */
export const tooBusy = (): AppError =>
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
export async function inPostingTurn<T>(organisationId: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const before = tails.get(organisationId) ?? Promise.resolve();
  let done: () => void = () => undefined;
  const mine = new Promise<void>((resolve) => (done = resolve));
  const tail = before.then(() => mine);
  tails.set(organisationId, tail);
  await before;
  try {
    if (Date.now() >= deadlineMs) throw tooBusy();
    return await work();
  } finally {
    done();
    if (tails.get(organisationId) === tail) tails.delete(organisationId);
  }
}

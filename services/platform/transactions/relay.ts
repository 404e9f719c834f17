import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../platform';
import { waitsForEarlierRow } from './dispatch';
import { OutboxDispatcher } from './dispatcher';

const POLL_MS = 1000;
/** Due rows read at once. */
const PAGE_SIZE = 64;
/** For this long a row leased by one relay is invisible to the others. */
const LEASE_MS = 10_000;
/** Delay of a row that waits for an earlier one of its workflow. */
const ORDER_DELAY_MS = 500;

/** Leases a due row, so that several relays can share the work. False if another relay has leased it. */
async function leaseRow(platform: Platform, row: OutboxRecord): Promise<boolean> {
  const now = platform.clock.now();
  const leased = await Outbox.updateOne(
    { _id: row._id, doneAt: null, dueAt: row.dueAt },
    { $set: { dueAt: new Date(now.getTime() + LEASE_MS) } },
  );
  return leased.matchedCount > 0;
}

/** Leases a row for this relay. False if another relay has it or an earlier row of its workflow comes first. */
async function claimRow(platform: Platform, row: OutboxRecord): Promise<boolean> {
  if (!(await leaseRow(platform, row))) return false;
  if (!(await waitsForEarlierRow(platform, row))) return true;
  const dueAt = new Date(platform.clock.now().getTime() + ORDER_DELAY_MS);
  await Outbox.updateOne({ _id: row._id, doneAt: null }, { $set: { dueAt } });
  return false;
}

/** Dispatches one page of due rows; a single row while Temporal does not respond. */
async function relayPage(
  platform: Platform,
  signal: AbortSignal | undefined,
): Promise<{ dispatched: number; isLast: boolean }> {
  const dispatcher = platform.singletons.get(OutboxDispatcher);
  const size = dispatcher.isInterrupted ? 1 : PAGE_SIZE;
  const rows = await Outbox.find({ doneAt: null, dueAt: { $lte: platform.clock.now() } })
    .sort({ dueAt: 1 })
    .limit(size)
    .lean<OutboxRecord[]>();
  rows.sort((a, b) => (a._id < b._id ? -1 : 1));
  const outcomes = await Promise.all(
    rows.map((row) =>
      dispatcher.dispatch(platform, row, async () => signal?.aborted !== true && (await claimRow(platform, row))),
    ),
  );
  const dispatched = outcomes.filter((outcome) => outcome === 'dispatched').length;
  return { dispatched, isLast: rows.length < size || dispatched === 0 || signal?.aborted === true };
}

/**
 * Dispatches due rows until none is left or Temporal does not respond.
 * @param signal aborted to leave the rest to other relays, once the rows in progress are dispatched
 * @returns the number of rows dispatched
 */
export async function relayDueRows(platform: Platform, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const { dispatched, isLast } = await relayPage(platform, signal);
    total += dispatched;
    if (isLast) return total;
  }
}

/** Dispatches due rows once a second until stopped. Every process of the orchestration pool runs a relay. */
export const startRelay = (platform: Platform): BackgroundLoop =>
  startBackgroundLoop(POLL_MS, async (signal) => {
    try {
      await relayDueRows(platform, signal);
    } catch (error) {
      platform.logger.warn(
        { reason: summariseError(error) },
        'The outbox relay could not read due rows; it will retry',
      );
    }
  });

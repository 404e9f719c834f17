import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { BacklogReader } from '../services/platform/transactions/backlog-readers';
import type { BacklogWorkflowName } from '../workflows/contracts';

/** Work on pending rows of one workflow. */
export interface BacklogWork<T> {
  /** Most rows in progress at the same time. */
  maxInProgress: number;
  /** New rows are taken for this long; then others that wait for the pool have their turn. */
  maxReadMs: number;
  /**
   * For short rows that no request waits for: reads are at least this far apart, so that one read takes several rows.
   * @default a row that has ended makes room for the next one at once
   */
  gatherMs?: number;
  /**
   * Pauses in ms after the first, second, … read in a row that found nothing new; then the backlog is left. In this time a
   * further row costs no workflow task.
   * @default 25, 50, 75 and 100, so that a row waits about as long as it takes to start an activity
   */
  pausesMs?: readonly number[];
  /**
   * Waits for further rows after the last pause, while no row is in progress. Returns none if the backlog is to be left.
   * @param mayWait asked at least once a second: false when the activity has to end
   * @default the backlog is left after the last pause
   */
  awaitRows?(limit: number, mayWait: () => Promise<boolean>): Promise<T[]>;
  /** Reads up to `limit` rows that are due, except those in progress. */
  read(limit: number, exceptIds: readonly string[]): Promise<T[]>;
  getId(row: T): string;
  /** Runs before the first read, when no other activity reads the backlog. */
  prepare?(): Promise<void>;
  /**
   * Rejects only if the whole activity has to be attempted again later, such as during an outage.
   * @param isCurrent whether this activity still has the backlog; asked right before what must not happen twice. If not,
   * the row is left to the activity that has taken the backlog over
   */
  process(row: T, isCurrent: () => Promise<boolean>): Promise<void>;
}

const DEFAULT_PAUSES_MS: readonly number[] = [25, 50, 75, 100];
const MAX_PAUSE_MS = 100;
/** Pause between two attempts to take over from another activity. */
const TAKE_OVER_PAUSE_MS = 200;
/** Interval of the heartbeats of activities that read backlogs; well below their heartbeat timeout. */
export const BACKLOG_HEARTBEAT_MS = 500;

/** Resolves when one of the rows in progress has ended, or after the pause. */
async function waitForChange(inProgress: ReadonlyMap<string, Promise<void>>, pauseMs: number): Promise<void> {
  const pause = new AbortController();
  const paused = delay(pauseMs, undefined, { signal: pause.signal }).catch(() => undefined);
  await Promise.race([paused, ...inProgress.values()]);
  pause.abort();
}

/**
 * Waits until the next read. Of a backlog that is read in groups, one that may have further rows is read when half of the
 * slots are free, or after a pause if its rows take long.
 */
async function waitForNextRead<T>(
  { maxInProgress, gatherMs }: BacklogWork<T>,
  inProgress: ReadonlyMap<string, Promise<void>>,
  pauseMs: number,
  mayHaveMore: boolean,
): Promise<void> {
  if (gatherMs === undefined) return waitForChange(inProgress, pauseMs);
  if (!mayHaveMore) return delay(Math.max(gatherMs, pauseMs));
  const until = performance.now() + MAX_PAUSE_MS;
  while (inProgress.size > maxInProgress / 2 && performance.now() < until) await waitForChange(inProgress, gatherMs);
}

/** Waits until the rows in progress have ended, and keeps the backlog meanwhile. */
async function drain(
  reader: BacklogReader<BacklogWorkflowName>,
  inProgress: ReadonlyMap<string, Promise<void>>,
): Promise<void> {
  while (inProgress.size > 0) {
    // The rows in progress end during an outage, too.
    await reader.renew().catch(() => false);
    await waitForChange(inProgress, MAX_PAUSE_MS);
  }
}

/**
 * Works off the pending rows of a workflow, several at the same time, until none has been due for a moment, the time is
 * up, or `stopping` is aborted. A slow row holds up none of the others. Afterwards new rows wake the workflow, and the
 * caller has to find out whether rows are left.
 *
 * An attempt that Temporal repeats because its heartbeats were late still runs: the repetition waits until it has ended
 * what it began, or has not renewed its record for five seconds.
 * @throws the first error of `process`, after the rows in progress have ended
 */
export async function workOffBacklog<T>(
  reader: BacklogReader<BacklogWorkflowName>,
  work: BacklogWork<T>,
  stopping: AbortSignal,
): Promise<void> {
  const { cancellationSignal } = Context.current();
  const { pausesMs = DEFAULT_PAUSES_MS } = work;
  const inProgress = new Map<string, Promise<void>>();
  const errors: unknown[] = [];
  // Reads in a row that found nothing new, since a row has ended.
  let emptyReads = 0;
  const start = (row: T): void => {
    const id = work.getId(row);
    const ended = work
      .process(row, () => reader.renew())
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        inProgress.delete(id);
        emptyReads = 0;
      });
    inProgress.set(id, ended);
  };
  let deadline = performance.now() + work.maxReadMs;
  const mayWait = async (): Promise<boolean> =>
    errors.length === 0 && !stopping.aborted && !cancellationSignal.aborted && reader.renew();
  const readRows = async (free: number): Promise<T[]> => (free > 0 ? work.read(free, [...inProgress.keys()]) : []);
  const awaitRows = async (free: number): Promise<T[]> => {
    const rows = (await work.awaitRows?.(free, mayWait)) ?? [];
    // Others that wait for the pool have had their turn meanwhile.
    deadline = performance.now() + work.maxReadMs;
    return rows;
  };

  while (!(await reader.tryStart())) {
    if (stopping.aborted) return;
    await Context.current().sleep(TAKE_OVER_PAUSE_MS);
  }
  try {
    await work.prepare?.();
    while (performance.now() < deadline && (await mayWait())) {
      const free = work.maxInProgress - inProgress.size;
      const isIdle = emptyReads >= pausesMs.length && inProgress.size === 0;
      const rows = isIdle ? await awaitRows(free) : await readRows(free);
      if (isIdle && rows.length === 0) break;
      rows.forEach(start);
      const pauseMs = pausesMs[emptyReads] ?? MAX_PAUSE_MS;
      emptyReads = rows.length > 0 ? 0 : emptyReads + 1;
      await waitForNextRead(work, inProgress, pauseMs, free === 0 || rows.length === free);
    }
  } finally {
    await drain(reader, inProgress);
    await reader.end();
  }
  if (errors.length > 0) throw errors[0];
}

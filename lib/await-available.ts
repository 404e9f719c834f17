import { setTimeout as pause } from 'node:timers/promises';
import { summariseError } from './logger';
import type { Logger } from './logger';
import { settlesWithin } from './time-limits';

/** What a process cannot start without, as named among the checks of `/readyz`. */
export type StartCheck = 'masterKey' | 'mongodb' | 'schema' | 'temporal' | 'objects';

export interface Waiting {
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Called once, when a store does not respond at once: the process is alive and not ready. */
  onWaiting: (awaited: StartCheck) => Promise<void>;
}

interface Store<T> {
  check: StartCheck;
  connect: () => Promise<T>;
  /** Whether the store may respond to a later attempt. */
  isUnavailable: (error: unknown) => boolean;
}

/** Pause between two attempts. */
const PAUSE_MS = 100;
/** A store that responds within this time is not reported. */
const REPORT_AFTER_MS = 1000;

/**
 * Connects a process that starts to a store, and repeats it while the store does not respond, so that processes and stores
 * can be started in any order.
 * @throws the error of an attempt that no later one can correct, such as a refused password
 */
export async function awaitAvailable<T>(
  { check, connect, isUnavailable }: Store<T>,
  { logger, onWaiting }: Waiting,
): Promise<T> {
  const reportAt = performance.now() + REPORT_AFTER_MS;
  let isReported = false;
  let reason: string | null = null;
  for (;;) {
    const connecting = connect();
    if (!isReported && !(await settlesWithin(connecting, reportAt - performance.now()))) {
      isReported = true;
      logger.warn(
        { awaited: check, reason },
        'The process waits for a store that does not respond; it is not ready until then',
      );
      await onWaiting(check);
    }
    try {
      const connected = await connecting;
      if (isReported) logger.info({ awaited: check }, 'The store responds');
      return connected;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      reason = summariseError(error);
    }
    await pause(PAUSE_MS);
  }
}

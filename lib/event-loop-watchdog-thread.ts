// Entry point of the thread that watches the event loop of its process.
import { workerData } from 'node:worker_threads';
import { BEAT_MS, COUNT, IS_DEBUGGED } from './event-loop-watchdog';
import type { WatchedEventLoop } from './event-loop-watchdog';

const { state, name, limitSeconds } = workerData as WatchedEventLoop;

async function logReason(): Promise<void> {
  // Loaded only now: every process has this thread.
  const { createLogger } = await import('./logger.js');
  createLogger({ level: 'fatal', name, sync: true }).fatal(
    { limitSeconds },
    'The event loop has not run for EVENT_LOOP_LIMIT_SECONDS; the process ends, so that its supervisor starts it again',
  );
}

/** Ends the process also if the reason cannot be logged, such as without memory or file descriptors. */
const endProcess = (): Promise<void> => logReason().finally(() => process.kill(process.pid, 'SIGKILL'));

let count = 0;
let secondsWithoutBeat = 0;

setInterval(() => {
  const latest = Atomics.load(state, COUNT);
  const isStopped = latest === count && Atomics.load(state, IS_DEBUGGED) === 0;
  count = latest;
  secondsWithoutBeat = isStopped ? secondsWithoutBeat + BEAT_MS / 1000 : 0;
  if (secondsWithoutBeat === limitSeconds) void endProcess();
}, BEAT_MS);

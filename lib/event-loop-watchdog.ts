import inspector from 'node:inspector';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** How often the event loop counts, and how often the thread that watches it looks. */
export const BEAT_MS = 1000;

/** Positions in the state that an event loop shares with its thread. */
export const COUNT = 0;
export const IS_DEBUGGED = 1;

/** What the thread has to know of the process. */
export interface WatchedEventLoop {
  state: Int32Array;
  /** Name of the process in its log. */
  name: string;
  limitSeconds: number;
}

/**
 * Ends the process with SIGKILL when its event loop has not run for a while, so that its supervisor starts it again: a
 * process that is alive and responds to nothing would keep its requests and activities waiting. A thread of its own
 * counts the seconds, so those in which the whole process stands still, as on a computer that sleeps, do not count. A
 * process with an open inspector is not ended, since a breakpoint stops its event loop.
 * @param name of the process in its log
 * @param limitSeconds longer than anything that the process computes without a pause
 */
export function watchEventLoop(name: string, limitSeconds: number): void {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const beat = (): void => {
    Atomics.add(state, COUNT, 1);
    Atomics.store(state, IS_DEBUGGED, inspector.url() === undefined ? 0 : 1);
  };
  const workerData: WatchedEventLoop = { state, name, limitSeconds };
  beat();
  // Neither the timer nor the thread keeps a process running that has nothing left to do.
  setInterval(beat, BEAT_MS).unref();
  new Worker(path.join(__dirname, 'event-loop-watchdog-thread.js'), { workerData }).unref();
}

import { once } from 'node:events';

const running = new Set();
let ending = false;

/**
 * Makes a child process end with this one: it gets SIGTERM when this process exits.
 * @template {import('node:child_process').ChildProcess} T
 * @param {T} child
 * @returns {T}
 */
export function owned(child) {
  if (running.size === 0) process.once('exit', endAll);
  running.add(child);
  const forget = () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  };
  child.once('exit', forget);
  child.once('error', forget);
  return child;
}

/** Whether {@link endOwned} was called: suites that have not begun are not started any more. */
export const isEnding = () => ending;

/** Sends SIGTERM to every child and waits until all have ended. */
export async function endOwned() {
  ending = true;
  const ended = [...running].map((child) => once(child, 'exit'));
  endAll();
  await Promise.all(ended);
}

function endAll() {
  for (const child of running) child.kill('SIGTERM');
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Makes signals end this process through `process.exit`, so that its children end too; the default handling of a signal
 * would leave them running. The returned function restores the default.
 * @returns {() => void}
 */
export function exitOnSignals() {
  const leave = () => process.exit(130);
  for (const signal of SIGNALS) process.on(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}

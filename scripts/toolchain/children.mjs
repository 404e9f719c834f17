import { once } from 'node:events';

const running = new Set();

/**
 * Ties a child's life to this process: however this one leaves by itself or by `endedBySignals`, the child is told to.
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

/** Tells every child to end, and waits until it has. */
export async function endOwned() {
  const ended = [...running].map((child) => once(child, 'exit'));
  endAll();
  await Promise.all(ended);
}

function endAll() {
  for (const child of running) child.kill('SIGTERM');
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Until the returned function is called, a signal ends this process by way of `exit`, so that its children go with it;
 * a signal nobody handles would leave them running.
 * @returns {() => void}
 */
export function endedBySignals() {
  const leave = () => process.exit(130);
  for (const signal of SIGNALS) process.on(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}

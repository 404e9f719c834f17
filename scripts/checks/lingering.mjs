import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { readJson } from '../stack/home.mjs';

const POLL_MILLISECONDS = 250;

/** How long node may take to write what a process holds; one that is stuck in a loop never does. */
const REPORT_SECONDS = 5;

/** How long the children that a process left may take to end on being told to, before the process itself is ended. */
const CHILDREN_SECONDS = 10;

/**
 * Options of node with which `untilEnded` learns what keeps a process: on SIGUSR2 node itself writes a report.
 * @param {string} reportFile
 * @returns {string[]}
 */
export const reportingOptions = (reportFile) => [
  '--report-on-signal',
  '--report-compact',
  '--report-exclude-network',
  `--report-directory=${path.dirname(reportFile)}`,
  `--report-filename=${path.basename(reportFile)}`,
];

/**
 * Waits until a process has ended. One that has written its record has nothing left to do: what stays longer than the
 * grace has left something open, is told about and ended with the children it left.
 * @param {import('node:child_process').ChildProcess} child started with `reportingOptions(reportFile)`
 * @param {{recordFile: string, reportFile: string, graceSeconds: number}} options `recordFile` is JSON
 * @returns {Promise<{code: number | null, held: string[] | null}>} `held`: what it had open; null where it ended itself
 */
export async function untilEnded(child, { recordFile, reportFile, graceSeconds }) {
  const ended = once(child, 'exit').then(([code]) => code);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  /** Whether it became true while the process was there; asked one last time when the time is over. */
  const within = async (seconds, isTrue) => {
    const deadline = Date.now() + seconds * 1000;
    while (!hasEnded() && Date.now() < deadline) {
      if (await isTrue()) return true;
      await Promise.race([ended, passed(POLL_MILLISECONDS, undefined, { ref: false })]);
    }
    return isTrue();
  };

  await within(Infinity, async () => (await readJson(recordFile)) !== null);
  if (await within(graceSeconds, hasEnded)) return { code: await ended, held: null };
  child.kill('SIGUSR2');
  await within(REPORT_SECONDS, async () => (await readJson(reportFile)) !== null);
  const open = handlesThatHold(await readJson(reportFile));
  for (const { pid } of open) if (pid !== undefined) tell(pid);
  await within(CHILDREN_SECONDS, () => open.every(({ pid }) => pid === undefined || !isThere(pid)));
  child.kill('SIGKILL');
  return { code: await ended, held: open.map(named) };
}

const handlesThatHold = (report) => (report?.libuv ?? []).filter((each) => each.is_active && each.is_referenced);

/** A handle as somebody would look for it: `tcp 127.0.0.1:4321`, `process 1234`. */
function named({ type, pid, localEndpoint, remoteEndpoint, filename }) {
  const address = (end) => (end ? `${end.ip4 ?? end.ip6 ?? end.host}:${end.port}` : null);
  const ends = [localEndpoint, remoteEndpoint].map((end) => address(end)).filter((end) => end !== null);
  return [type, pid ?? filename ?? ends.join(' to ')].filter((part) => part !== '').join(' ');
}

function tell(pid) {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

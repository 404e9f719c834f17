import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from '../stack/home.mjs';
import { signalProcess } from '../stack/supervised.mjs';

/** How long jest may take until the first test file begins, on any machine. */
const START_SECONDS = 10 * 60;

const POLL_MS = 250;

/** How long Node may take to write its report; a process that is stuck in a loop never writes one. */
const REPORT_SECONDS = 5;

/** How long the child processes may take to end after SIGTERM, before the process itself is killed. */
const CHILDREN_SECONDS = 10;

/**
 * Options of Node with which `waitForEnd` finds the open handles of a process: on SIGUSR2, Node writes a report.
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
 * Waits until a process has ended. A process that has written its record has no work left: if it still runs after the
 * grace period, its open handles are listed and it is killed together with its children. The same happens at once to a
 * process that has not written its progress for too long.
 * @param {import('node:child_process').ChildProcess} child started with `reportingOptions(reportFile)`
 * @param {object} options
 * @param {string} options.recordFile JSON, written at the end of the work
 * @param {string} options.progressFile written whenever a part of the work ends
 * @param {string} options.reportFile
 * @param {number} options.graceSeconds
 * @param {number} options.stallSeconds how long one part of the work may take
 * @returns {Promise<{code: number | null, openHandles: string[] | null, stalled: boolean}>} `openHandles` is null if the
 *   process ended by itself
 */
export async function waitForEnd(child, { recordFile, progressFile, reportFile, graceSeconds, stallSeconds }) {
  const startedAt = Date.now();
  const ended = once(child, 'exit').then(([code]) => code);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  /** Whether the condition became true while the process was running, or is true at the end of the time. */
  const within = async (seconds, isTrue) => {
    const deadline = Date.now() + seconds * 1000;
    while (!hasEnded() && Date.now() < deadline) {
      if (await isTrue()) return true;
      await Promise.race([ended, delay(POLL_MS, undefined, { ref: false })]);
    }
    return isTrue();
  };
  const hasRecord = async () => (await readJson(recordFile)) !== null;
  const isStalled = async () => {
    const progress = await stat(progressFile).catch(() => null);
    if (progress === null) return Date.now() - startedAt > Math.max(stallSeconds, START_SECONDS) * 1000;
    return Date.now() - progress.mtimeMs > stallSeconds * 1000;
  };

  await within(Infinity, async () => (await hasRecord()) || (await isStalled()));
  const stalled = !hasEnded() && !(await hasRecord());
  if (!stalled && (await within(graceSeconds, hasEnded))) return { code: await ended, openHandles: null, stalled };
  const openHandles = await killWithChildren(child, { reportFile, within });
  return { code: await ended, openHandles, stalled };
}

/** Kills a process after its children, and returns the handles that it had open. */
async function killWithChildren(child, { reportFile, within }) {
  child.kill('SIGUSR2');
  await within(REPORT_SECONDS, async () => (await readJson(reportFile)) !== null);
  const handles = listOpenHandles(await readJson(reportFile));
  for (const { pid } of handles) if (pid !== undefined) signalProcess(pid, 'SIGTERM');
  await within(CHILDREN_SECONDS, () => handles.every(({ pid }) => pid === undefined || !isRunning(pid)));
  child.kill('SIGKILL');
  return handles.map(formatHandle);
}

const listOpenHandles = (report) => (report?.libuv ?? []).filter((handle) => handle.is_active && handle.is_referenced);

/** A handle as text, such as `tcp 127.0.0.1:4321` or `process 1234`. */
function formatHandle({ type, pid, localEndpoint, remoteEndpoint, filename }) {
  const formatEndpoint = (end) => (end ? `${end.ip4 ?? end.ip6 ?? end.host}:${end.port}` : null);
  const endpoints = [localEndpoint, remoteEndpoint].map(formatEndpoint).filter((text) => text !== null);
  return [type, pid ?? filename ?? endpoints.join(' to ')].filter((part) => part !== '').join(' ');
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

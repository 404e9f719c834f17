import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { isSame } from './identity.mjs';
import { graceSeconds, groupByStopOrder } from './roles.mjs';
import { signalProcess } from './supervised.mjs';

/**
 * Stops the processes that a killed launcher left running in this home. A process is stopped only if it is the one that
 * `state.json` records (id, start time and command line); a process that has reused the id is left alone.
 * @param {string} home
 * @param {(message: string) => void} log
 * @returns {Promise<number>} how many processes were stopped
 */
export async function stopLeftovers(home, log) {
  const stateFile = path.join(home, 'state.json');
  const state = await readJson(stateFile);
  if (state === null) return 0;
  const running = await listRunning(state.processes);
  const names = running.map((each) => `${each.role} (${each.pid})`).join(', ');
  if (running.length > 0) log(`stopping ${running.length} processes left by a killed launcher: ${names}`);
  for (const group of groupByStopOrder(running)) await Promise.all(group.map(stop));
  const store = state.temporaryStore;
  if (typeof store === 'string' && store.startsWith(path.join(tmpdir(), 'vouch-')))
    await rm(store, { recursive: true, force: true });
  await rm(stateFile, { force: true });
  return running.length;
}

async function stop(recorded) {
  signalProcess(recorded.pid, 'SIGTERM');
  const deadline = Date.now() + graceSeconds(recorded.role) * 1000;
  while ((await isSame(recorded)) && Date.now() < deadline) await delay(50);
  // Each process leads a group of its own: the signal also reaches the processes that it started.
  signalProcess(-recorded.pid, 'SIGKILL');
}

async function listRunning(processes) {
  const checks = await Promise.all(processes.map(isSame));
  return processes.filter((_, index) => checks[index]);
}

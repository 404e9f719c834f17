import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { isOfHome, isSame } from './identity.mjs';
import { signalProcess } from './supervised.mjs';

/**
 * Every process survives being killed without losing what it accepted, so a start does not wait until all work is done
 * that runs at this moment.
 */
const GRACE_SECONDS = 2;

/**
 * Stops the processes that a killed launcher left running in this home. A process is stopped only if it is the one that
 * `state.json` records (id, start time and command line), and if the record was written in this home: a process that has
 * reused the id, and those of another home from which the file was copied, are left alone.
 * @param {string} home
 * @param {(message: string) => void} log
 * @returns {Promise<number>} how many processes were stopped
 */
export async function stopLeftovers(home, log) {
  const stateFile = path.join(home, 'state.json');
  const state = await readJson(stateFile);
  if (state === null) return 0;
  if (!(await isOfHome(state, home))) {
    await rm(stateFile, { force: true });
    return 0;
  }
  const running = await listRunning(state.processes);
  const names = running.map((each) => `${each.role} (${each.pid})`).join(', ');
  if (running.length > 0) log(`stopping ${running.length} processes left by a killed launcher: ${names}`);
  const [service, engines] = splitByDependency(running);
  await Promise.all(service.map(stop));
  await Promise.all(engines.map(stop));
  const store = state.temporaryStore;
  if (typeof store === 'string' && store.startsWith(path.join(tmpdir(), 'vouch-')))
    await rm(store, { recursive: true, force: true });
  await rm(stateFile, { force: true });
  return running.length;
}

/** The processes of the service, and the engines that they use. */
function splitByDependency(processes) {
  const isService = ({ role }) => role === 'api' || role.startsWith('worker');
  return [processes.filter(isService), processes.filter((each) => !isService(each))];
}

async function stop(recorded) {
  signalProcess(recorded.pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_SECONDS * 1000;
  while ((await isSame(recorded)) && Date.now() < deadline) await delay(50);
  // Each process leads a group of its own: the signal also reaches the processes that it started.
  signalProcess(-recorded.pid, 'SIGKILL');
}

async function listRunning(processes) {
  const checks = await Promise.all(processes.map(isSame));
  return processes.filter((_, index) => checks[index]);
}

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { isSame } from './identity.mjs';
import { graceSeconds, inEndOrder } from './roles.mjs';
import { signalProcess } from './supervised.mjs';

/**
 * Ends what a launcher that was killed left behind in this home. Only a process that is still the very one noted in
 * `state.json` (number, start time and command line) is touched; a number that the system has given to another
 * process is left alone.
 * @param {string} home
 * @param {(message: string) => void} log
 * @returns {Promise<number>} how many processes were ended
 */
export async function endLeftovers(home, log) {
  const stateFile = path.join(home, 'state.json');
  const state = await readJson(stateFile);
  if (state === null) return 0;
  const living = await ours(state.processes);
  const names = living.map((each) => `${each.role} (${each.pid})`).join(', ');
  if (living.length > 0) log(`ending ${living.length} left by a launcher that was killed: ${names}`);
  for (const group of inEndOrder(living)) await Promise.all(group.map(end));
  const store = state.temporaryStore;
  if (typeof store === 'string' && store.startsWith(path.join(tmpdir(), 'vouch-')))
    await rm(store, { recursive: true, force: true });
  await rm(stateFile, { force: true });
  return living.length;
}

async function end(noted) {
  signalProcess(noted.pid, 'SIGTERM');
  const deadline = Date.now() + graceSeconds(noted.role) * 1000;
  while ((await isSame(noted)) && Date.now() < deadline) await delay(50);
  // It led a process group of its own: what it had started ends with it, and so does it when it has not.
  signalProcess(-noted.pid, 'SIGKILL');
}

async function ours(processes) {
  const checks = await Promise.all(processes.map(isSame));
  return processes.filter((_, index) => checks[index]);
}

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { isSame } from './identity.mjs';
import { signalProcess } from './supervised.mjs';

const GRACE_SECONDS = 20;

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
  let living = await ours(state.processes);
  const found = living.length;
  if (found > 0)
    log(
      `ending ${found} left by a launcher that was killed: ${living.map((each) => `${each.role} (${each.pid})`).join(', ')}`,
    );
  for (const each of living) signalProcess(each.pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_SECONDS * 1000;
  while (living.length > 0 && Date.now() < deadline) {
    await delay(50);
    living = await ours(living);
  }
  // Each led a process group of its own, so a number that still is a group is one of ours.
  for (const each of living) signalProcess(-each.pid, 'SIGKILL');
  const store = state.temporaryStore;
  if (typeof store === 'string' && store.startsWith(path.join(tmpdir(), 'vouch-')))
    await rm(store, { recursive: true, force: true });
  await rm(stateFile, { force: true });
  return found;
}

async function ours(processes) {
  const checks = await Promise.all(processes.map(isSame));
  return processes.filter((_, index) => checks[index]);
}

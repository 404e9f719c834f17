import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { identify, isSame } from './identity.mjs';

const lockFile = (home) => path.join(home, 'launcher.json');
export const runFile = (home) => path.join(home, 'run.json');

/** The launcher that runs in this home, or null; a lock that a killed launcher left does not count. */
export async function livingLauncher(home) {
  const noted = await readJson(lockFile(home));
  return noted !== null && (await isSame(noted)) ? noted : null;
}

/**
 * Makes this process the launcher of a home.
 * @returns {Promise<null | import('./identity.mjs').ProcessIdentity>} null when it is, else the one that runs already
 */
export async function takeHome(home) {
  const me = await identify(process.pid);
  for (;;) {
    try {
      const lock = await open(lockFile(home), 'wx', 0o600);
      await lock.writeFile(JSON.stringify(me));
      await lock.close();
      return null;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const living = await livingLauncher(home);
    if (living !== null) return living;
    // Killed, or just making its lock: an empty one gets a moment before it counts as left over.
    await delay(200);
    if ((await livingLauncher(home)) === null) await rm(lockFile(home), { force: true });
  }
}

/** Gives the home back; run.json goes with it, so that nobody reads addresses where nothing listens. */
export async function leaveHome(home) {
  await rm(runFile(home), { force: true });
  await rm(lockFile(home), { force: true });
}

/**
 * Waits until another launcher serves.
 * @returns {Promise<object | null>} its run.json, or null when it ended before
 */
export async function waitUntilServing(home, launcher) {
  for (;;) {
    const run = await readJson(runFile(home));
    if (run?.pids?.launcher === launcher.pid) return run;
    if (!(await isSame(launcher))) return null;
    await delay(200);
  }
}

import { open, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson } from './home.mjs';
import { identify, isOfHome, isSame } from './identity.mjs';

const lockFile = (home) => path.join(home, 'launcher.json');
export const runFile = (home) => path.join(home, 'run.json');

/**
 * The launcher that runs in this home, or null. The lock of a launcher that was killed is ignored, and so is that of
 * another home, from which this one was copied.
 */
export async function findLauncher(home) {
  const recorded = await readJson(lockFile(home));
  return recorded !== null && (await isOfHome(recorded, home)) && (await isSame(recorded)) ? recorded : null;
}

/**
 * Makes this process the launcher of a home.
 * @returns {Promise<null | import('./identity.mjs').ProcessIdentity>} null on success, else the launcher that already runs
 */
export async function lockHome(home) {
  const self = { ...(await identify(process.pid)), home: await realpath(home) };
  for (;;) {
    try {
      const lock = await open(lockFile(home), 'wx', 0o600);
      await lock.writeFile(JSON.stringify(self));
      await lock.close();
      // Left by a launcher that was killed: nothing listens at its addresses any more.
      await rm(runFile(home), { force: true });
      return null;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const other = await findLauncher(home);
    if (other !== null) return other;
    // The other launcher was killed, or it is still writing its lock: wait a moment before the lock is removed.
    await delay(200);
    if ((await findLauncher(home)) === null) await rm(lockFile(home), { force: true });
  }
}

/** Releases the home and removes run.json, so that no client reads addresses at which nothing listens. */
export async function unlockHome(home) {
  await rm(runFile(home), { force: true });
  await rm(lockFile(home), { force: true });
}

/**
 * Waits until another launcher serves.
 * @returns {Promise<object | null>} its run.json, or null if it ended before
 */
export async function waitUntilServing(home, launcher) {
  for (;;) {
    const run = await readJson(runFile(home));
    if (run?.pids?.launcher === launcher.pid) return run;
    if (!(await isSame(launcher))) return null;
    await delay(200);
  }
}

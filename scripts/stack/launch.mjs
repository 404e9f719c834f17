import { mkdir } from 'node:fs/promises';
import { createProgress, LauncherError } from '../progress.mjs';
import { lockHome, unlockHome, waitUntilServing } from './launcher.mjs';

/**
 * Runs `work` as the launcher of a home. If another launcher already runs there, waits until it serves and prints its
 * addresses instead.
 * @param {string} home
 * @param {(context: {progress: ReturnType<typeof createProgress>, ending: AbortSignal}) => Promise<void>} work
 */
export async function launch(home, work) {
  const ending = abortOnSignals();
  await mkdir(home, { recursive: true });
  const other = await lockHome(home);
  if (other !== null) return describeOther(home, other);
  try {
    await work({ progress: createProgress(), ending });
  } finally {
    await unlockHome(home);
  }
}

/** Aborted by a signal, or when a parent process that holds a channel to this one (a test) ends. */
function abortOnSignals() {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort(signal));
  process.once('disconnect', () => controller.abort('the end of its parent'));
  process.channel?.unref();
  return controller.signal;
}

async function describeOther(home, other) {
  console.log(`Vouch is already running in ${home} (process ${other.pid}).`);
  const run = await waitUntilServing(home, other);
  if (run === null) throw new LauncherError('It ended before it served; start it again.');
  for (const line of listAddresses(run)) console.log(`      ${line}`);
  console.log('Stop it with: npm run stop');
}

/** One line for each address that a user may open. @returns {string[]} */
export function listAddresses(run) {
  const addresses = {
    Console: `${run.api}/console`,
    API: run.api,
    'API docs': run.docs,
    'Temporal UI': run.temporalUi,
  };
  return Object.entries(addresses).flatMap(([name, url]) => (url ? [`${name.padEnd(12)} ${url}`] : []));
}

/** Returns the result of the work, or rejects as soon as `ending` is aborted. */
export function untilEnding(work, ending) {
  return new Promise((resolve, reject) => {
    const end = () => reject(new LauncherError(`ended by ${ending.reason}`));
    if (ending.aborted) end();
    ending.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => ending.removeEventListener('abort', end));
  });
}

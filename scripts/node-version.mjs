import { LauncherError } from './progress.mjs';

const MIN_VERSION = [20, 19, 0];
const RECOMMENDED_MAJOR = 24;

/** Major versions of Node that are run but get no more security fixes, with the month in which these ended. */
const ENDED_VERSIONS = { 20: 'April 2026' };

/** @throws {LauncherError} if this Node is older than `engines` in package.json allows */
export function checkNodeVersion(version = process.versions.node) {
  const parts = version.split('.').map(Number);
  const differs = MIN_VERSION.findIndex((part, index) => parts[index] !== part);
  if (differs === -1 || parts[differs] > MIN_VERSION[differs]) return;
  throw new LauncherError(
    `Node ${MIN_VERSION.join('.')} or newer is needed; this is ${version} (${process.execPath}).`,
  );
}

/** What to tell the user of a Node that gets no more security fixes; null for one that does. */
export function describeEndedNode(version = process.versions.node) {
  const [major] = version.split('.');
  const ended = ENDED_VERSIONS[major];
  return ended === undefined
    ? null
    : `Node ${major} has had no security fixes since ${ended}; install Node ${RECOMMENDED_MAJOR}.`;
}

/**
 * Finds the Node that runs a command: the one that VOUCH_NODE_PATH names, else this one, or one with security fixes in its
 * place. Where that cannot be found, this one.
 * @param {object} options
 * @param {ReturnType<typeof import('./progress.mjs').createProgress>} options.progress
 * @param {boolean} options.fetchMissing whether it may be downloaded
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.version] of this Node
 * @returns {Promise<string>} path of the executable
 * @throws {Error} if VOUCH_NODE_PATH names no executable
 */
export async function findNode({ progress, fetchMissing, env = process.env, version = process.versions.node }) {
  const isChosen = Boolean(env.VOUCH_NODE_PATH);
  if (!isChosen && describeEndedNode(version) === null) return process.execPath;
  // Loaded only where it is needed: most commands run on the Node that started them.
  const [{ node }, { resolveTool }, { toolsFolder }] = await Promise.all([
    import('./toolchain/node.mjs'),
    import('./toolchain/resolver.mjs'),
    import('./toolchain/tools.mjs'),
  ]);
  const resolve = (mayFetch) => resolveTool(node, { dir: toolsFolder(env), env, fetchMissing: mayFetch });
  const present = await resolve(false).catch((error) => {
    if (isChosen) throw error;
    return null;
  });
  if (present !== null) return present.executable;
  if (!fetchMissing) return process.execPath;
  try {
    const fetched = await progress.step(`Node ${node.version}`, () => resolve(true));
    return fetched.executable;
  } catch (error) {
    progress.say(error.message);
    return process.execPath;
  }
}

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from './stack/home.mjs';
import { LauncherError } from './progress.mjs';
import { run } from './toolchain/command.mjs';

const MIN_NODE_VERSION = [20, 19, 0];
const RECOMMENDED_MAJOR = 24;

/** Major versions of Node that are run but get no more security fixes, with the month in which these ended. */
const ENDED_VERSIONS = { 20: 'April 2026' };

/** @throws {LauncherError} if this Node is older than `engines` in package.json allows */
export function checkNodeVersion(version = process.versions.node) {
  const parts = version.split('.').map(Number);
  const differs = MIN_NODE_VERSION.findIndex((part, index) => parts[index] !== part);
  if (differs === -1 || parts[differs] > MIN_NODE_VERSION[differs]) return;
  throw new LauncherError(
    `Node ${MIN_NODE_VERSION.join('.')} or newer is needed; this is ${version} (${process.execPath}).`,
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
 * Whether node_modules contains the packages of package-lock.json, according to npm's record of the installation.
 * Packages for other platforms are optional and may be absent.
 */
export async function dependenciesAreCurrent(folder = root) {
  const locked = await readJson(path.join(folder, 'package-lock.json'));
  const installed = await readJson(path.join(folder, 'node_modules', '.package-lock.json'));
  if (locked === null || installed === null) return false;
  return Object.entries(locked.packages).every(([name, entry]) => {
    if (name === '') return true;
    const present = installed.packages[name];
    return present === undefined ? entry.optional === true : present.version === entry.version;
  });
}

/** npm ci deletes what is in node_modules: through a symbolic link, the packages of another folder. */
async function refuseSymbolicLink(folder) {
  const packages = path.join(folder, 'node_modules');
  const found = await lstat(packages).catch(() => null);
  if (!found?.isSymbolicLink()) return;
  throw new LauncherError(
    `${packages} is a symbolic link without the packages of package-lock.json; npm ci would delete what it points to.\nWhat you can do: remove the link and try again.`,
  );
}

/**
 * Installs the packages of the lock file and compares each with its checksum. No install script runs: .npmrc turns them
 * off, and so does the argument for an npm that is configured otherwise.
 * @throws {LauncherError} if node_modules is a symbolic link, or npm fails
 */
export async function installDependencies(folder = root) {
  await refuseSymbolicLink(folder);
  const env = { ...process.env };
  // In production mode npm ci would omit development packages, which the build needs.
  delete env.NODE_ENV;
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, env, timeoutSeconds: 900 });
  } catch (error) {
    throw new LauncherError(
      `npm ci failed: ${error.message}\nWhat you can do: check that the npm registry is reachable (npm ping), then run npm ci yourself.`,
    );
  }
}

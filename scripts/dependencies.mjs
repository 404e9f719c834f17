import path from 'node:path';
import { readJson, root } from './stack/home.mjs';
import { LauncherError } from './progress.mjs';
import { run } from './toolchain/command.mjs';

const OLDEST_NODE = [20, 19, 0];

/** @throws {LauncherError} when this Node is older than package.json's engines ask for */
export function checkNodeVersion(version = process.versions.node) {
  const parts = version.split('.').map(Number);
  const differs = OLDEST_NODE.findIndex((part, index) => parts[index] !== part);
  if (differs === -1 || parts[differs] > OLDEST_NODE[differs]) return;
  throw new LauncherError(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${version} (${process.execPath}).`,
  );
}

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. Packages of
 * other platforms are optional and may be absent.
 */
export async function dependenciesAreCurrent(folder = root) {
  const wanted = await readJson(path.join(folder, 'package-lock.json'));
  const installed = await readJson(path.join(folder, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted.packages).every(([name, entry]) => {
    if (name === '') return true;
    const present = installed.packages[name];
    return present === undefined ? entry.optional === true : present.version === entry.version;
  });
}

/**
 * Installs the packages of the lock file. The inference runtime's install script would fetch GPU libraries from
 * outside the registry; the CPU library is in the package, so that script is told to do nothing.
 */
export async function installDependencies(folder = root) {
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
  // npm ci leaves development packages out in production mode, and the build needs them.
  delete env.NODE_ENV;
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env, timeoutSeconds: 900 });
  } catch (error) {
    throw new LauncherError(
      `npm ci failed: ${error.message}\nWhat you can do: check that the npm registry is reachable (npm ping), then run ONNXRUNTIME_NODE_INSTALL=skip npm ci yourself.`,
    );
  }
}

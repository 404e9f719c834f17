import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from './stack/home.mjs';
import { LauncherError } from './progress.mjs';
import { run } from './toolchain/command.mjs';

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

/**
 * `npm run build -- --lockfile`: completes package-lock.json for every platform. npm omits the optional packages of
 * other platforms if the registry does not offer them (a mirror may keep one platform only), and `npm ci` then rejects
 * the lock file. With --check, nothing is written and a missing package is an error.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../stack/home.mjs';

const OPERATING_SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

/** The `os` and `cpu` fields of package.json that the name of a platform package implies. */
function parsePlatform(name) {
  const parts = name
    .split('/')
    .at(-1)
    .split(/[-_.]/)
    .map((part) => (/^(armv\d|armhf)/.test(part) ? 'arm' : part));
  const os = OPERATING_SYSTEMS.filter((each) => parts.includes(each));
  const cpu = PROCESSORS.filter((each) => parts.includes(each)).slice(0, 1);
  return { ...(cpu.length > 0 ? { cpu } : {}), ...(os.length > 0 ? { os } : {}) };
}

/** Whether the package at `from` can resolve `name` in its own node_modules folder or in one above it. */
function isLocked(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    if (`${folder}${folder === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

/** Adds the missing optional packages. @returns {string[]} the added packages, as name@version */
function completeLock(lock) {
  const added = [];
  for (const [from, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock.packages, from, name)) continue;
      if (!/^\d+\.\d+\.\d+/.test(version))
        throw new Error(`${from} depends on ${name}@${version}, which is not an exact version`);
      lock.packages[`node_modules/${name}`] = {
        version,
        ...parsePlatform(name),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
      };
      added.push(`${name}@${version}`);
    }
  }
  const byName = ([one], [other]) => one.localeCompare(other, 'en');
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
  return added;
}

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(await readFile(file, 'utf8'));
const added = completeLock(lock);
if (process.argv.includes('--check')) {
  if (added.length > 0) {
    console.error(`package-lock.json lacks ${added.join(', ')}; run \`npm run build -- --lockfile\`.`);
    process.exitCode = 1;
  }
} else if (added.length > 0) {
  await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added ${added.join(', ')}`);
}

/**
 * `npm run build -- --lockfile`: checks that package-lock.json lists the packages of every platform, that every entry has
 * a checksum and comes from a registry, and that every install script was reviewed. `npm test -- static` runs it too.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../stack/home.mjs';

/** Whether the package at `from` can resolve `name` in its own node_modules folder or in one above it. */
function isLocked(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    if (`${folder}${folder === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

/**
 * Optional packages that are not listed. npm leaves out those of other platforms if the registry does not offer them (a
 * mirror may keep one platform only), and `npm ci` then rejects the lock file.
 */
const findMissing = (packages) =>
  Object.entries(packages).flatMap(([from, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, from, name))
      .map(
        ([name, version]) =>
          `${name}@${version}, which ${from.replace('node_modules/', '')} needs on another platform, is missing: choose a version of it that the registry offers for every platform`,
      ),
  );

const checkEntry = ([name, entry]) => [
  ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')
    ? []
    : [`${name} has no SHA-512 checksum (integrity)`]),
  ...(entry.resolved === undefined ? [] : [`${name} is not from the registry, but from ${entry.resolved}`]),
  ...(entry.link ? [`${name} is a link`] : []),
];

/**
 * Install scripts are off (`ignore-scripts` in .npmrc). `allowScripts` of package.json lists each package that has one,
 * with false: a package that needs its script is not used here.
 */
function checkScripts(packages, allowScripts) {
  const nameOf = (folder) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const withScripts = new Set(
    Object.entries(packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([folder]) => nameOf(folder)),
  );
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] !== false);
  return [
    ...[...withScripts]
      .filter((name) => !(name in allowScripts))
      .map(
        (name) =>
          `${name} has an install script: read it, check that the package works without it, and list it as false in allowScripts of package.json`,
      ),
    ...allowed.map((name) => `${name} is allowed to run its install script, but nothing runs install scripts here`),
    ...Object.keys(allowScripts)
      .filter((name) => !withScripts.has(name))
      .map((name) => `allowScripts lists ${name}, which has no install script`),
  ];
}

/**
 * What is wrong with a lock file, one line each.
 * @param {{packages: Record<string, object>}} lock
 * @param {Record<string, boolean>} allowScripts
 * @returns {string[]}
 */
export function checkLock(lock, allowScripts) {
  const locked = Object.entries(lock.packages).filter(([folder]) => folder !== '');
  return [
    ...findMissing(lock.packages),
    ...locked.flatMap(checkEntry),
    ...checkScripts(Object.fromEntries(locked), allowScripts),
  ];
}

async function main() {
  const read = async (name) => JSON.parse(await readFile(path.join(root, name), 'utf8'));
  const problems = checkLock(await read('package-lock.json'), (await read('package.json')).allowScripts ?? {});
  if (problems.length === 0) return;
  console.error(`package-lock.json:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { LauncherError } from '../progress.mjs';
import { run } from '../toolchain/command.mjs';
import { SOURCE_FOLDERS } from './sources.mjs';
import { buildWeb, webBuildIsCurrent } from './web.mjs';

const SETTINGS = ['tsconfig.json', 'package-lock.json'];
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.build.json');
/** The compiled workflows. */
export const WORKFLOW_BUNDLE = path.join(dist, 'workflow-bundle.js');

/** The native compiler. The package `typescript` (6) remains for tools that use the compiler as a library. */
export const tsc = path.join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** Compiles without checking types, in a fifth of the processor time; the JavaScript is the same. */
export const TRANSPILE = ['-p', 'tsconfig.json', '--noCheck', '--pretty', 'false'];

const isTypeScript = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts');
/** The launchers run as they are, without being compiled. */
const isLauncher = (file) => file.endsWith('.mjs');

async function listFiles(top, folder) {
  const entries = await readdir(path.join(top, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(top, path.join(entry.parentPath ?? entry.path, entry.name)));
}

async function listAll(top) {
  return (await Promise.all(SOURCE_FOLDERS.map((folder) => listFiles(top, folder)))).flat();
}

async function listSourceFiles() {
  return (await listAll(root)).filter((file) => !isLauncher(file)).sort();
}

/** The files in dist/ that come from source files, relative to dist/. */
export const listCompiledFiles = () => listAll(dist);

async function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of [...SETTINGS, ...files]) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

/** Removes compiled files whose source no longer exists, so that nothing loads them by accident. */
async function removeOrphans(files) {
  const expected = new Set(files.map((file) => file.replace(/\.ts$/, '.js')));
  for (const file of await listCompiledFiles()) {
    if (!expected.has(file.replace(/\.js\.map$/, '.js'))) await rm(path.join(dist, file));
  }
}

/** Copies the source files that are not TypeScript, such as model lists. */
async function copyAssets(files) {
  for (const file of files.filter((each) => !isTypeScript(each) && !each.endsWith('.md'))) {
    await mkdir(path.dirname(path.join(dist, file)), { recursive: true });
    await copyFile(path.join(root, file), path.join(dist, file));
  }
}

async function bundleWorkflows() {
  const script = path.join(dist, 'scripts', 'build', 'bundle-workflows.js');
  await run(process.execPath, [script], { cwd: root }).catch((error) => {
    throw new LauncherError(`The workflows could not be bundled. ${error.message}`);
  });
}

/**
 * Completes what the compiler wrote to dist/: assets, the workflow bundle, and the hash of the compiled sources.
 * @param {string} hash what `hashSources` returned before the compiler read them
 * @param {{workflowsChanged?: boolean}} [options] false keeps the existing workflow bundle
 */
export async function completeBuild(hash, { workflowsChanged = true } = {}) {
  await copyAssets(await listSourceFiles());
  if (workflowsChanged) await bundleWorkflows();
  await writeFile(stampFile, `${JSON.stringify({ hash })}\n`);
}

/**
 * Builds whatever has changed: the service and the web applications.
 * @param {{types?: boolean}} [options] `types` also checks the types of the sources
 * @throws {LauncherError} with the errors of the compiler or bundler
 */
export async function build({ types = false } = {}) {
  // Both end before an error is reported, so that nothing is left running.
  const outcomes = await Promise.allSettled([buildService({ types }), types ? checkWebTypes() : null, buildWeb()]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The arguments of the compiler that check the types of web/. */
export const CHECK_WEB = ['-p', 'web/tsconfig.json', '--noEmit', '--pretty', 'false'];

async function checkWebTypes() {
  await run(process.execPath, [tsc, ...CHECK_WEB], { cwd: root, tailLines: 40 }).catch((error) => {
    throw new LauncherError(`The web applications do not compile. ${error.message}`);
  });
}

/** The compiler works incrementally. */
async function buildService({ types }) {
  const files = await listSourceFiles();
  const hash = await hashFiles(files);
  await removeOrphans(files);
  const compiled = await stat(path.join(dist, 'workers')).catch(() => null);
  // Without its output, the compiler's record of what is up to date would make it write nothing.
  if (compiled === null) await rm(path.join(dist, '.tsbuildinfo'), { force: true });
  const options = { cwd: root, tailLines: 40 };
  const args = types ? TRANSPILE.filter((argument) => argument !== '--noCheck') : TRANSPILE;
  await run(process.execPath, [tsc, ...args], options).catch((error) => {
    throw new LauncherError(`The sources do not compile. ${error.message}`);
  });
  await completeBuild(hash);
}

/** The hash of the sources that dist/ was built from; null without a complete build. */
export async function readBuildHash() {
  return (await readJson(stampFile))?.hash ?? null;
}

/** The hash of the sources as they are now; a build of them has the same. */
export async function hashSources() {
  return hashFiles(await listSourceFiles());
}

/** Whether dist/ was built from exactly the current sources, those of the web applications included. */
export async function buildIsCurrent() {
  return (await readBuildHash()) === (await hashSources()) && (await webBuildIsCurrent());
}

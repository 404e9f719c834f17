/** `npm run build`: compiles to dist/, copies what is not TypeScript, bundles the workflows. Also used by the launchers. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson, root } from './stack/home.mjs';
import { LauncherError } from './progress.mjs';
import { run } from './toolchain/command.mjs';

const SOURCES = [
  'domain',
  'models',
  'services',
  'workflows',
  'activities',
  'workers',
  'api',
  'lib',
  'scripts',
  'bench',
];
const SETTINGS = ['tsconfig.json', 'package-lock.json'];
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.build.json');

const isTypeScript = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts');
const isLauncher = (file) => file.endsWith('.mjs');

async function sourceFiles() {
  const listed = await Promise.all(
    SOURCES.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((each) => each.isFile())
        .map((each) => path.relative(root, path.join(each.parentPath ?? each.path, each.name)));
    }),
  );
  return listed
    .flat()
    .filter((file) => !isLauncher(file))
    .sort();
}

async function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of [...SETTINGS, ...files]) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

/** Removes what an earlier build made from a source that is gone, so that nothing loads it by accident. */
async function removeOrphans(files) {
  const wanted = new Set(files.map((file) => file.replace(/\.ts$/, '.js')));
  for (const folder of SOURCES) {
    const entries = await readdir(path.join(dist, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = path.relative(dist, path.join(entry.parentPath ?? entry.path, entry.name));
      if (entry.isFile() && !wanted.has(file.replace(/\.js\.map$/, '.js'))) await rm(path.join(dist, file));
    }
  }
}

async function copyAssets(files) {
  for (const file of files.filter((each) => !isTypeScript(each) && !each.endsWith('.md'))) {
    await mkdir(path.dirname(path.join(dist, file)), { recursive: true });
    await copyFile(path.join(root, file), path.join(dist, file));
  }
}

/** Builds whatever has changed; compiling itself is incremental. @throws {LauncherError} with the compiler's words */
export async function build() {
  const files = await sourceFiles();
  const hash = await hashOf(files);
  await removeOrphans(files);
  const compiled = await stat(path.join(dist, 'workers')).catch(() => null);
  // Without its output the compiler's note of what is up to date would make it write nothing.
  if (compiled === null) await rm(path.join(dist, '.tsbuildinfo'), { force: true });
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { cwd: root };
  await run(process.execPath, [tsc, '-p', 'tsconfig.json', '--pretty', 'false'], { ...options, tailLines: 40 }).catch(
    (error) => {
      throw new LauncherError(`The sources do not compile. ${error.message}`);
    },
  );
  await copyAssets(files);
  await run(process.execPath, [path.join(dist, 'scripts', 'bundle-workflows.js')], options).catch((error) => {
    throw new LauncherError(`The workflows could not be bundled. ${error.message}`);
  });
  await writeFile(stampFile, `${JSON.stringify({ hash })}\n`);
}

/** Whether dist/ was built from exactly the sources that are there now. */
export async function buildIsCurrent() {
  const stamp = await readJson(stampFile);
  return stamp !== null && stamp.hash === (await hashOf(await sourceFiles()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

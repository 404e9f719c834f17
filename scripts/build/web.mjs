/** Builds the web applications of web/ to dist/web, which the API serves. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readJson, root } from '../stack/home.mjs';
import { LauncherError } from '../progress.mjs';
import { run } from '../toolchain/command.mjs';

/** Folders whose files make up the applications. */
const SOURCES = ['web', 'clients/typescript/src'];
const SETTINGS = ['package-lock.json', 'scripts/build/web.mjs'];
const outFolder = path.join(root, 'dist', 'web');
const stampFile = path.join(outFolder, '.build.json');

export const viteConfigFile = path.join(root, 'web', 'vite.config.mjs');

/** Folders of the applications. Each is built by itself: its name is the mode of the build. */
const APPLICATIONS = ['capture', 'console'];

const COMPRESSED = /\.(css|js|json|svg|wasm)$/;
/** Nearly as small as the best quality, in a tenth of its time. */
const BROTLI_QUALITY = 9;

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

async function hashSources() {
  const files = (await Promise.all(SOURCES.map((folder) => listFiles(path.join(root, folder))))).flat();
  const hash = createHash('sha256');
  for (const file of [...SETTINGS.map((name) => path.join(root, name)), ...files]) {
    if (!file.endsWith('.md')) hash.update(path.relative(root, file)).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Writes each asset compressed next to it, so that the API compresses nothing while it serves. */
async function compressAssets() {
  const files = (await listFiles(path.join(outFolder, 'assets'))).filter((file) => COMPRESSED.test(file));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, brotli));
    }),
  );
}

/** Whether dist/web was built from exactly the current sources. */
export async function webBuildIsCurrent() {
  return (await readJson(stampFile))?.hash === (await hashSources());
}

async function buildApplication(name) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', viteConfigFile, '--mode', name, '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(process.execPath, args, { cwd: root, env, tailLines: 40 }).catch((error) => {
    throw new LauncherError(`The web application ${name} could not be built. ${error.message}`);
  });
}

/**
 * Builds the applications if their sources have changed.
 * @throws {LauncherError} with the messages of the bundler
 */
export async function buildWeb() {
  const hash = await hashSources();
  if ((await readJson(stampFile))?.hash === hash) return;
  await rm(outFolder, { recursive: true, force: true });
  await Promise.all(APPLICATIONS.map(buildApplication));
  await compressAssets();
  await writeFile(stampFile, `${JSON.stringify({ hash })}\n`);
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { completeBuild, hashSources, listCompiledFiles, TRANSPILE, tsc } from '../build/compile.mjs';
import { owned } from '../toolchain/children.mjs';
import { root } from './home.mjs';

/** Compiled folders from which the workflow bundle is made. */
const BUNDLED = ['workflows', 'domain'];

const WATCH = ['--watch', '--preserveWatchOutput'];
/** Checks types with a record of its own, because the other compiler writes that of dist/. */
const CHECK = [
  '-p',
  'tsconfig.json',
  '--noEmit',
  '--tsBuildInfoFile',
  '.vouch/cache/dev.tsbuildinfo',
  '--pretty',
  'false',
];

/**
 * Compiles the sources whenever they change. Types are checked by a second compiler, so that a restart does not wait for
 * it; its errors are printed.
 * @param {object} options
 * @param {(line: string) => void} options.say receives the compilers' messages
 * @param {(folders: string[]) => Promise<void>} options.onCompiled called after a compilation without syntax errors that
 *   changed files, with the top-level folders of the changed files
 */
export function watchSources({ say, onCompiled }) {
  let since = Date.now();
  let work = Promise.resolve();
  const complete = async () => {
    const hash = await hashSources();
    const startedAt = Date.now();
    const folders = await listChangedFolders(since);
    since = startedAt;
    await completeBuild(hash, { workflowsChanged: folders.some((folder) => BUNDLED.includes(folder)) });
    if (folders.length > 0) await onCompiled(folders);
  };
  runCompiler(TRANSPILE, (line) => {
    if (line.includes('error TS')) say(line);
    if (line.includes('Found 0 errors')) work = work.then(complete).catch((error) => say(error.message));
  });
  runCompiler(CHECK, (line) => {
    if (line.trim() !== '') say(`types: ${line}`);
  });
}

/**
 * @param {string[]} args
 * @param {(line: string) => void} onLine receives each line that the compiler prints
 */
function runCompiler(args, onLine) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] };
  const compiler = owned(spawn(process.execPath, [tsc, ...args, ...WATCH], options));
  createInterface({ input: compiler.stdout }).on('line', onLine);
}

async function listChangedFolders(since) {
  const files = await listCompiledFiles();
  const changed = await Promise.all(
    files.map(async (file) => (await stat(path.join(root, 'dist', file)).catch(() => null))?.mtimeMs >= since),
  );
  return [...new Set(files.filter((_, index) => changed[index]).map((file) => file.split(path.sep)[0]))];
}

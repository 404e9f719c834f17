import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { completeBuild, hashSources, listCompiledFiles, tsc } from '../build/compile.mjs';
import { owned } from '../toolchain/children.mjs';
import { root } from './home.mjs';

/** Compiled folders from which the workflow bundle is made. */
const BUNDLED = ['workflows', 'domain'];

/**
 * Compiles the sources whenever they change.
 * @param {object} options
 * @param {(line: string) => void} options.say receives the compiler's messages
 * @param {(folders: string[]) => Promise<void>} options.onCompiled called after a compilation without errors that
 *   changed files, with the top-level folders of the changed files
 */
export function watchSources({ say, onCompiled }) {
  const args = [tsc, '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput', '--pretty', 'false'];
  const compiler = owned(spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }));
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
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    if (line.trim() === '') return;
    say(line);
    if (line.includes('Found 0 errors')) work = work.then(complete).catch((error) => say(error.message));
  });
}

async function listChangedFolders(since) {
  const files = await listCompiledFiles();
  const changed = await Promise.all(
    files.map(async (file) => (await stat(path.join(root, 'dist', file)).catch(() => null))?.mtimeMs >= since),
  );
  return [...new Set(files.filter((_, index) => changed[index]).map((file) => file.split(path.sep)[0]))];
}

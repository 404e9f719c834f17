/**
 * Runs a compiled command: `npm run admin`, `backup`, `restore`, `demo`, `bench` and `pictures`. Builds first if the command has not been
 * compiled yet.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareSources } from './prepare.mjs';
import { createProgress, printFailure } from './progress.mjs';
import { root } from './stack/home.mjs';

const ENTRIES = {
  admin: 'scripts/admin.js',
  backup: 'scripts/backup.js',
  restore: 'scripts/restore.js',
  demo: 'scripts/demo/main.js',
  bench: 'bench/main.js',
  pictures: 'scripts/pictures/main.js',
};

async function main() {
  const [name, ...args] = process.argv.slice(2);
  const entry = path.join(root, 'dist', ENTRIES[name]);
  // Progress goes to stderr: the output of a command may be JSON.
  if (!existsSync(entry)) await prepareSources(createProgress(console.error));
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
}

await main().catch(printFailure);

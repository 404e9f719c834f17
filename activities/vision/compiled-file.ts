import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The compiled form of a module of this folder. Threads and child processes are started from JavaScript files: beside
 * this one when it runs compiled, under `dist` when a test runs it from its source.
 *
 * @param module path inside this folder without suffix, such as `inference/worker`
 */
export function compiledFile(module: string): string {
  const beside = join(__dirname, `${module}.js`);
  return existsSync(beside) ? beside : join(__dirname, '../../dist/activities/vision', `${module}.js`);
}

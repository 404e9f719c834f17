import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The compiled form of a module of a pool. Threads and child processes are started from JavaScript files: beside this
 * one when it runs compiled, under `dist` when a test runs it from its source.
 *
 * @param module path inside `activities` without suffix, such as `vision/inference/worker`
 */
export function resolveCompiledFile(module: string): string {
  const siblingFile = join(__dirname, `${module}.js`);
  return existsSync(siblingFile) ? siblingFile : join(__dirname, '../dist/activities', `${module}.js`);
}

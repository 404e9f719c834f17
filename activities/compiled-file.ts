import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Path of the compiled file of a module. Threads and child processes need JavaScript files: next to this file if it is
 * compiled, in `dist` if a test runs the TypeScript sources.
 *
 * @param module path inside `activities` without suffix, such as `vision/inference/worker`
 */
export function resolveCompiledFile(module: string): string {
  const siblingFile = join(__dirname, `${module}.js`);
  return existsSync(siblingFile) ? siblingFile : join(__dirname, '../dist/activities', `${module}.js`);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Path of the compiled file of a module. Threads and child processes need JavaScript files: next to those of this module
 * if it is compiled, in `dist` if a test runs the TypeScript sources.
 *
 * @param module path inside the project without suffix, such as `activities/vision/inference/worker`
 */
export function resolveCompiledFile(module: string): string {
  const root = join(__dirname, '..');
  const compiledFile = join(root, `${module}.js`);
  return existsSync(compiledFile) ? compiledFile : join(root, 'dist', `${module}.js`);
}

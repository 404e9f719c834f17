import path from 'node:path';
import { root } from '../stack/home.mjs';
import { run } from '../toolchain/command.mjs';

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const cache = path.join(root, '.vouch', 'cache');
const IMPORTING = [
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
  'clients',
];

/** What can be said of the sources without running the service; each counts as one test. */
const CHECKS = [
  { title: 'types', command: bin('tsc'), args: ['--noEmit', '-p', 'tsconfig.test.json', '--pretty', 'false'] },
  {
    title: 'lint',
    command: bin('eslint'),
    args: ['.', '--cache', '--cache-location', path.join(cache, 'eslint'), '--quiet'],
  },
  {
    title: 'import directions',
    command: bin('depcruise'),
    args: ['--config', '.dependency-cruiser.cjs', ...IMPORTING],
  },
  { title: 'unused code', command: bin('knip'), args: ['--no-progress', '--no-config-hints'] },
  {
    title: 'format',
    command: bin('prettier'),
    args: ['--check', '.', '--cache', '--cache-location', path.join(cache, 'prettier')],
  },
  { title: 'OpenAPI documents', command: process.execPath, args: ['dist/scripts/openapi.js', '--check'] },
  { title: 'TypeScript client', command: process.execPath, args: ['scripts/client.mjs', '--check'] },
  { title: 'lock file', command: process.execPath, args: ['scripts/lockfile.mjs', '--check'] },
];

/** Two at a time: more would fight for the cores that the slowest of them needs. */
const AT_ONCE = 2;

/**
 * Runs every static check and shows what a failed one printed.
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runStaticChecks(progress) {
  const waiting = [...CHECKS];
  const counts = { passed: 0, failed: 0 };
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { title, command, args } = check;
      try {
        await progress.step(title, () => run(command, args, { cwd: root, timeoutSeconds: 900, tailLines: 200 }));
        counts.passed += 1;
      } catch (error) {
        console.log(error.message);
        counts.failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return counts;
}

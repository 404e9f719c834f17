import path from 'node:path';
import { CHECK_WEB, tsc } from '../build/compile.mjs';
import { SOURCE_FOLDERS } from '../build/sources.mjs';
import { LauncherError } from '../progress.mjs';
import { root } from '../stack/home.mjs';
import { run } from '../toolchain/command.mjs';

const bin = (name) => path.join(root, 'node_modules', '.bin', name);

/** Checks of the sources that need no running service, by the name that `--only` accepts. Each counts as one test. */
const CHECKS = {
  types: {
    title: 'types',
    command: process.execPath,
    // A second checker repeats a third of the work of the first, and the other core is in use by the linter.
    args: [tsc, '--noEmit', '-p', 'tsconfig.test.json', '--checkers', '1', '--pretty', 'false'],
  },
  web: { title: 'types of the web applications', command: process.execPath, args: [tsc, ...CHECK_WEB] },
  lint: {
    title: 'lint',
    command: bin('oxlint'),
    args: [],
  },
  imports: {
    title: 'import directions',
    command: bin('depcruise'),
    args: ['--config', '.dependency-cruiser.cjs', ...SOURCE_FOLDERS, 'clients', 'web'],
  },
  unused: { title: 'unused code', command: bin('knip'), args: ['--no-progress', '--no-config-hints'] },
  format: {
    title: 'format',
    command: bin('oxfmt'),
    args: ['--check'],
  },
  openapi: {
    title: 'OpenAPI documents',
    command: process.execPath,
    args: ['dist/scripts/build/openapi.js', '--check'],
  },
  client: { title: 'TypeScript client', command: process.execPath, args: ['scripts/build/client.mjs', '--check'] },
  lockfile: { title: 'lock file', command: process.execPath, args: ['scripts/build/lockfile.mjs'] },
  audit: { title: 'known vulnerabilities', command: process.execPath, args: ['scripts/checks/audit.mjs'] },
};

export const CHECK_NAMES = Object.keys(CHECKS);

/** More concurrent checks would compete for the cores that the slowest one needs. */
const CONCURRENCY = 2;

/**
 * Runs static checks and prints the output of those that fail.
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @param {string[]} [names]
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runStaticChecks(progress, names = CHECK_NAMES) {
  const unknown = names.find((name) => !(name in CHECKS));
  if (unknown !== undefined)
    throw new LauncherError(`--only accepts ${CHECK_NAMES.join(', ')}; ${unknown} is not a static check`);
  const remaining = names.map((name) => CHECKS[name]);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const runNext = async () => {
    for (let check = remaining.shift(); check !== undefined; check = remaining.shift()) {
      const { title, command, args } = check;
      try {
        const { stdout } = await progress.step(title, () =>
          run(command, args, { cwd: root, timeoutSeconds: 900, tailLines: 200 }),
        );
        const skipped = stdout.startsWith('skipped: ');
        if (skipped) progress.say(`${title}: ${stdout.trim()}`);
        counts[skipped ? 'skipped' : 'passed'] += 1;
      } catch (error) {
        console.log(error.message);
        counts.failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
  return counts;
}

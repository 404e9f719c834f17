import { spawn } from 'node:child_process';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { isEnding, owned } from '../toolchain/children.mjs';
import { reportingOptions, waitForEnd } from './lingering.mjs';

/** Folders of test/ that need no stack. */
export const WITHOUT_STACK = ['unit', 'components', 'workflows', 'replay'];
/** Folders of test/ that use a shared stack. */
export const WITH_STACK = ['api', 'e2e', 'web'];
/** Folders of test/ that start stacks of their own in order to kill their processes. */
export const WITH_OWN_STACKS = ['chaos'];
export const FOLDERS = [...WITHOUT_STACK, ...WITH_STACK, ...WITH_OWN_STACKS];

const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

/**
 * Of jest and its workers. What a test creates is short-lived: with the default of 16 MiB for new objects, collecting them
 * took a twentieth more of the processor time of a run.
 */
const MEMORY_OPTIONS = ['--max-semi-space-size=64'];

/** How long jest may take to end after it has written its record; a busy machine needs part of it. */
const GRACE_SECONDS = 30;

/**
 * Runs the tests of some folders and returns their counts. A jest that ends without a record counts as one failure.
 * A jest that has written its record but does not end is killed, which counts as one more failure. So is one in which no
 * test ends for `stallSeconds`. Starts nothing once a signal ends the run.
 * @param {object} options
 * @param {string[]} options.folders
 * @param {string[]} options.patterns
 * @param {number} options.workers
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.resultFile
 * @param {string} [options.project] folder that contains jest's configuration
 * @param {number} [options.graceSeconds]
 * @param {number} [options.stallSeconds]
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runJest({
  folders,
  patterns,
  workers,
  env,
  resultFile,
  project = root,
  graceSeconds = GRACE_SECONDS,
  stallSeconds = Infinity,
}) {
  if (folders.length === 0 || isEnding()) return NO_TESTS;
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const reporters = ['default', path.join(root, 'test', 'runner', 'counts.cjs')];
  const args = ['--selectProjects', ...folders, '--passWithNoTests', '--useStderr', '--reporters', ...reporters];
  const selection = patterns.flatMap((pattern) => ['--testPathPatterns', pattern]);
  const files = {
    recordFile: resultFile,
    progressFile: `${resultFile}.progress`,
    reportFile: `${resultFile}.report`,
  };
  const child = owned(
    spawn(
      process.execPath,
      [
        ...MEMORY_OPTIONS,
        ...reportingOptions(files.reportFile),
        jest,
        ...args,
        '--maxWorkers',
        String(workers),
        ...selection,
      ],
      { cwd: project, env: { ...env, VOUCH_TEST_COUNTS: resultFile }, stdio: ['ignore', 'ignore', 'inherit'] },
    ),
  );
  const { code, openHandles, stalled } = await waitForEnd(child, { ...files, graceSeconds, stallSeconds });
  if (stalled) {
    const running = (await readJson(files.progressFile))?.running ?? [];
    const names = running.map((file) => path.relative(project, file)).join(', ') || 'none';
    console.log(`No test has ended for ${stallSeconds} seconds, so the run was ended. Test files running: ${names}.`);
  }
  const record = await readJson(resultFile);
  if (record === null) return { ...NO_TESTS, failed: 1 };
  if (openHandles !== null) {
    console.log(`Tests of ${folders.join(', ')} left open: ${openHandles.join(', ') || 'handles unknown to Node'}.`);
  }
  // A jest that had to be killed, or that fails although no test failed, counts as a failure.
  const additional = openHandles !== null || (code !== 0 && record.failed === 0) ? 1 : 0;
  return { ...record, failed: record.failed + additional };
}

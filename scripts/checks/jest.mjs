import { spawn } from 'node:child_process';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { owned } from '../toolchain/children.mjs';
import { reportingOptions, untilEnded } from './lingering.mjs';

/** Folders of test/ that need nothing running, those that use the stack, and those that start stacks to kill. */
export const ALONE = ['unit', 'workflows', 'replay'];
export const ON_STACK = ['api', 'e2e'];
export const OWN_STACKS = ['chaos'];

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** How long a jest whose tests are all told may take to end; a busy machine needs some of it. */
const GRACE_SECONDS = 30;

/**
 * Runs the tests of some folders and counts them by jest's own record; a jest that ends without one counts as failed.
 * One that has written its record and does not end is ended, and counts as one failure more.
 * @param {object} options
 * @param {string[]} options.folders
 * @param {string[]} options.patterns
 * @param {number} options.workers
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.resultFile
 * @param {string} [options.project] the folder of jest's configuration
 * @param {number} [options.graceSeconds]
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
}) {
  if (folders.length === 0) return NOTHING;
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--selectProjects', ...folders, '--passWithNoTests', '--json', '--outputFile', resultFile];
  const chosen = patterns.flatMap((each) => ['--testPathPatterns', each]);
  const reportFile = `${resultFile}.report`;
  const child = owned(
    spawn(
      process.execPath,
      [...reportingOptions(reportFile), jest, ...args, '--maxWorkers', String(workers), ...chosen],
      // Its record goes to the file; what it prints for people goes to stderr.
      { cwd: project, env, stdio: ['ignore', 'ignore', 'inherit'] },
    ),
  );
  const { code, held } = await untilEnded(child, { recordFile: resultFile, reportFile, graceSeconds });
  const record = await readJson(resultFile);
  if (record === null) return { ...NOTHING, failed: 1 };
  const failed = record.numFailedTests + record.numRuntimeErrorTestSuites;
  if (held !== null) {
    console.log(`Tests of ${folders.join(', ')} left open: ${held.join(', ') || 'what node does not name'}.`);
  }
  // A jest that was ended, or that fails beside its tests, is a failure of its own.
  const beside = held !== null || (code !== 0 && failed === 0) ? 1 : 0;
  return {
    passed: record.numPassedTests,
    failed: failed + beside,
    skipped: record.numPendingTests + record.numTodoTests,
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { owned } from '../toolchain/children.mjs';

/** Folders of test/ that need nothing running, those that use the stack, and those that start stacks to kill. */
export const ALONE = ['unit', 'workflows', 'replay'];
export const ON_STACK = ['api', 'e2e'];
export const OWN_STACKS = ['chaos'];

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs the tests of some folders and counts them by jest's own record; a jest that ends without one counts as failed.
 * @param {{folders: string[], patterns: string[], workers: number, env: NodeJS.ProcessEnv, resultFile: string}} options
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runJest({ folders, patterns, workers, env, resultFile }) {
  if (folders.length === 0) return NOTHING;
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--selectProjects', ...folders, '--passWithNoTests', '--json', '--outputFile', resultFile];
  const child = owned(
    spawn(
      process.execPath,
      [jest, ...args, '--maxWorkers', String(workers), ...patterns.flatMap((each) => ['--testPathPatterns', each])],
      {
        cwd: root,
        env,
        // Its record goes to the file; what it prints for people goes to stderr.
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ),
  );
  const [code] = await once(child, 'exit');
  const record = await readJson(resultFile);
  if (record === null) return { ...NOTHING, failed: 1 };
  const failed = record.numFailedTests + record.numRuntimeErrorTestSuites;
  return {
    passed: record.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: record.numPendingTests + record.numTodoTests,
  };
}

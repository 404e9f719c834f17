import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { pollUntilFound } from '../../support/poll';
import { isRunning } from '../../support/is-running';

const root = path.resolve(__dirname, '..', '..', '..');
const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-lingering-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  counts: z.infer<typeof countsSchema>;
  output: string;
}

/** Runs one test file as `npm test` does, in a temporary project; `before` runs in the same process. */
function runTests(tests: string, options = '', before = ''): Run {
  mkdirSync(path.join(folder, 'unit'), { recursive: true });
  writeFileSync(path.join(folder, 'unit', 'some.test.js'), tests);
  const configuration = {
    displayName: 'unit',
    rootDir: folder,
    testEnvironment: path.join(root, 'test', 'runner', 'environment.cjs'),
    runtime: path.join(root, 'test', 'runner', 'runtime.cjs'),
    haste: { enableSymlinks: false },
    cacheDirectory: path.join(folder, 'cache'),
  };
  writeFileSync(
    path.join(folder, 'jest.config.cjs'),
    `module.exports = ${JSON.stringify({ projects: [configuration] })};`,
  );
  const script = `
    import { runJest } from './scripts/checks/jest.mjs';
    import { endOwned } from './scripts/toolchain/children.mjs';
    ${before}
    const options = { folders: ['unit'], patterns: [], workers: 1, env: process.env };
    const [project, resultFile] = ${JSON.stringify([folder, path.join(folder, 'record.json')])};
    console.log(JSON.stringify(await runJest({ ...options, project, resultFile ${options} })));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = printed.trim().split('\n');
  return { counts: countsSchema.parse(JSON.parse(lines.pop() ?? '')), output: lines.join('\n') };
}

const SHORT_GRACE = ', graceSeconds: 0.5';

test('a run whose set-up fails while a server is open is ended; the failure, the open handle and its port are reported', () => {
  const { counts, output } = runTests(
    `
    const net = require('node:net');
    const server = net.createServer();
    beforeAll(async () => {
      await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
      require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'port'))}, String(server.address().port));
      throw new Error('set-up failed');
    });
    test('is not run', () => {});
    `,
    SHORT_GRACE,
  );
  expect(counts).toEqual({ passed: 0, failed: 2, skipped: 0 });
  expect(output).toContain(`tcp 127.0.0.1:${readFileSync(path.join(folder, 'port'), 'utf8')}`);
});

test('a child process that a test left running is ended', () => {
  const pidFile = path.join(folder, 'pid');
  const { counts, output } = runTests(
    `
    test('starts a process', () => {
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
    });
    `,
    SHORT_GRACE,
  );
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(output).toContain(`process ${pid}`);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a run that loops forever after its last test is ended', () => {
  const { counts } = runTests(
    `
    const { existsSync } = require('node:fs');
    const loopOnceRecorded = () => { while (existsSync(${JSON.stringify(path.join(folder, 'record.json'))})); };
    test('passes', () => { setInterval(loopOnceRecorded, 1); });
    `,
    SHORT_GRACE,
  );
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a run in which no test ends any more is ended; the test file that was running is reported', () => {
  const { counts, output } = runTests(
    `
    test('passes', () => {});
    test('waits for ever', () => new Promise(() => setInterval(() => {}, 1e6)), 1e9);
    `,
    ', stallSeconds: 2',
  );
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(output).toContain(path.join('unit', 'some.test.js'));
});

test('no suite begins once a signal ends the run', () => {
  const marker = path.join(folder, 'begun');
  const tests = `test('begins', () => require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''));`;
  expect(runTests(tests, '', 'await endOwned();').counts).toEqual({ passed: 0, failed: 0, skipped: 0 });
  expect(existsSync(marker)).toBe(false);
});

test.each([1, 2])('processes that run test files end with a run that is ended, with %d of them', async (workers) => {
  const pidFile = path.join(folder, 'pid');
  mkdirSync(path.join(folder, 'unit'));
  // One file for each process.
  if (workers > 1) writeFileSync(path.join(folder, 'unit', 'other.test.js'), `test('passes', () => {});`);
  const tests = `
    test('waits for ever', () => {
      // As the runtime of Temporal does.
      process.on('SIGTERM', () => {});
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
      return new Promise(() => setInterval(() => {}, 1e6));
    }, 1e9);
    `;
  const endOnceWaiting = `
    import { existsSync } from 'node:fs';
    setInterval(() => existsSync(${JSON.stringify(pidFile)}) && process.exit(130), 50);
    `;
  expect(() => runTests(tests, `, workers: ${workers}`, endOnceWaiting)).toThrow('Command failed');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await pollUntilFound(() => Promise.resolve(isRunning(pid) ? undefined : true));
});

test('a run that closes all its handles ends by itself, and only its failed tests count', () => {
  const { counts, output } = runTests(`
    test('passes', () => {});
    test('fails', () => expect(1).toBe(2));
  `);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(output).toBe('');
});

test('the tests of a run are counted when the error of one refers to itself', () => {
  const { counts } = runTests(`
    test('passes', () => undefined);
    test('fails', () => {
      const error = new Error('circular');
      error.cause = { error };
      error.self = error;
      throw error;
    });
  `);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

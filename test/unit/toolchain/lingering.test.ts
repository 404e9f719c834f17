import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

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

/** Runs one file of tests as `npm test` does, in a project of its own. */
function runTests(tests: string, more = ''): Run {
  mkdirSync(path.join(folder, 'unit'), { recursive: true });
  writeFileSync(path.join(folder, 'unit', 'some.test.js'), tests);
  const configuration = {
    displayName: 'unit',
    rootDir: folder,
    testEnvironment: 'node',
    haste: { enableSymlinks: false },
  };
  writeFileSync(
    path.join(folder, 'jest.config.cjs'),
    `module.exports = ${JSON.stringify({ projects: [configuration] })};`,
  );
  const script = `
    import { runJest } from './scripts/checks/jest.mjs';
    const options = { folders: ['unit'], patterns: [], workers: 1, env: process.env };
    const [project, resultFile] = ${JSON.stringify([folder, path.join(folder, 'record.json')])};
    console.log(JSON.stringify(await runJest({ ...options, project, resultFile ${more} })));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = printed.trim().split('\n');
  return { counts: countsSchema.parse(JSON.parse(lines.pop() ?? '')), output: lines.join('\n') };
}

const SOON = ', graceSeconds: 0.5';

test('a run whose set-up fails with a server open ends, with its failure, one for staying, and the port', () => {
  const { counts, output } = runTests(
    `
    const net = require('node:net');
    const server = net.createServer();
    beforeAll(async () => {
      await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
      require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'port'))}, String(server.address().port));
      throw new Error('the set-up fails');
    });
    test('never gets that far', () => {});
    `,
    SOON,
  );
  expect(counts).toEqual({ passed: 0, failed: 2, skipped: 0 });
  expect(output).toContain(`tcp 127.0.0.1:${readFileSync(path.join(folder, 'port'), 'utf8')}`);
});

test('a process that tests left goes with them', () => {
  const pidFile = path.join(folder, 'pid');
  const { counts, output } = runTests(
    `
    test('starts a process', () => {
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
    });
    `,
    SOON,
  );
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(output).toContain(`process ${pid}`);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a run that is stuck in a loop after its last test ends', () => {
  const { counts } = runTests(
    `
    const { existsSync } = require('node:fs');
    const loopOnceRecorded = () => { while (existsSync(${JSON.stringify(path.join(folder, 'record.json'))})); };
    test('is right', () => { setInterval(loopOnceRecorded, 1); });
    `,
    SOON,
  );
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a run that closes what it opens ends by itself, and only its failed tests count', () => {
  const { counts, output } = runTests(`
    test('is right', () => {});
    test('is wrong', () => expect(1).toBe(2));
  `);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(output).toBe('');
});

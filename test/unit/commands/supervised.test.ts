import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { evaluate } from '../../support/evaluate';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-supervised-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a process that is stopped while it starts does not run afterwards', () => {
  const result = evaluate(
    `import { Supervised } from './scripts/stack/supervised.mjs';
     const logFile = ${JSON.stringify(path.join(folder, 's3.log'))};
     const supervised = new Supervised({ role: 's3', command: 'sleep', args: ['60'], env: process.env, logFile, log: () => {} });
     const started = supervised.start().then(() => 'started', (error) => error.message);
     await supervised.stop(1);
     const outcome = await started;
     const { pid } = supervised;
     if (pid !== null) process.kill(pid, 'SIGKILL');`,
    `{ outcome, pid }`,
  );
  expect(result).toEqual({ outcome: 's3 was stopped before it started', pid: null });
});

test('a process that was stopped can be started again', () => {
  const result = evaluate(
    `import { Supervised } from './scripts/stack/supervised.mjs';
     const logFile = ${JSON.stringify(path.join(folder, 's3.log'))};
     const supervised = new Supervised({ role: 's3', command: 'sleep', args: ['60'], env: process.env, logFile, log: () => {} });
     await supervised.start();
     const first = supervised.pid;
     await supervised.restart(1);
     const isAnother = supervised.pid !== null && supervised.pid !== first;
     await supervised.stop(1);`,
    `{ isAnother, pid: supervised.pid }`,
  );
  expect(result).toEqual({ isAnother: true, pid: null });
});

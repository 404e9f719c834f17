import { spawnSync } from 'node:child_process';
import path from 'node:path';

const MODULE = path.resolve('dist/lib/event-loop-watchdog.js');

/** Runs a process whose event loop may stand still for a second, and that ends once it has stood still for longer. */
function runBlocked(nodeArguments: readonly string[]): {
  status: number | null;
  signal: string | null;
  stdout: string;
} {
  const script = `
    require(process.argv[1]).watchEventLoop('blocked', 1);
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
      process.stdout.write('went on');
    });
  `;
  return spawnSync(process.execPath, [...nodeArguments, '-e', script, MODULE], { encoding: 'utf8' });
}

test('a process whose event loop stands still is ended, and its log says why', () => {
  const { signal, stdout } = runBlocked([]);
  expect(signal).toBe('SIGKILL');
  expect(JSON.parse(stdout)).toMatchObject({ level: 60, name: 'blocked', limitSeconds: 1 });
});

test('a process that a debugger may have stopped is not ended', () => {
  expect(runBlocked(['--inspect=127.0.0.1:0'])).toMatchObject({ status: 0, signal: null, stdout: 'went on' });
});

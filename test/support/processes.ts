import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { evaluate } from './evaluate';
import { pollUntilFound } from './poll';
import { readStack } from './stack';
import type { RunningStack } from './stack';

/** An additional process (a replica) on the engines of a running stack. */
export interface ReplicaProcess {
  url: string;
  port: number;
  /** Sends SIGTERM and waits for the end. @throws Error with its output if a signal ended it, instead of the process itself */
  stop(): Promise<number | null>;
}

/**
 * A port of loopback that is free, below the range of outgoing connections: one of them could take the port while the
 * process that will listen on it is loaded.
 */
export function findFreePort(): number {
  const imports = `import { freePorts, releasePorts } from './scripts/stack/ports.mjs';
    const ports = await freePorts(1);
    await releasePorts(ports);`;
  return z.number().parse(evaluate(imports, 'ports[0]'));
}

const dist = path.resolve(__dirname, '..', '..', 'dist');

interface Entry {
  script: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** The processes that run; the environment of the tests ends those that a test file leaves (test/runner/environment.cjs). */
const startedProcesses: Set<ChildProcess> = new Set();
Reflect.set(globalThis, Symbol.for('vouch.startedProcesses'), startedProcesses);

/** Starts a process and waits until it is ready. @throws Error with its output if it does not start */
async function startProcess(port: number, { script, args, env }: Entry): Promise<ReplicaProcess> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [path.join(dist, script), ...args], {
    env: { ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  // The output is complete when the process has closed it, which may be after its end.
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  startedProcesses.add(child);
  void closed.finally(() => startedProcesses.delete(child));
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await closed;
      throw new Error(`${script} did not start (${child.signalCode ?? child.exitCode}): ${printed}`);
    }
    await delay(100);
  }
  return {
    url,
    port,
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await closed;
      if (signal !== null) throw new Error(`${script} was ended by ${signal}: ${printed}`);
      return code;
    },
  };
}

/**
 * Waits until a process that is starting answers that only this check of its readiness fails. On a busy machine, those
 * before it fail for a moment.
 * @throws why it did not start
 */
export async function awaitFailedCheck(check: string, port: number, starting: Promise<unknown>): Promise<void> {
  const expected = [503, { ok: false, checks: { [check]: 'failed' } }] as const;
  const readState = async (): Promise<true | undefined> => {
    const readiness = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return readiness !== undefined && isDeepStrictEqual([readiness.status, await readiness.json()], expected)
      ? true
      : undefined;
  };
  await Promise.race([
    pollUntilFound(readState),
    starting.then(() => Promise.reject(new Error(`The process was ready although ${check} should fail.`))),
  ]);
}

/**
 * Starts a replica of the API and waits until it is ready.
 *
 * @param env additional environment variables; PORT chooses the port
 * @throws Error with its output if it does not start
 */
export async function startApi(env: Record<string, string> = {}): Promise<ReplicaProcess> {
  const port = env['PORT'] === undefined ? findFreePort() : Number(env['PORT']);
  const own = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, ...env };
  return startProcess(port, {
    script: 'api/main.js',
    args: [],
    env: { ...process.env, ...readStack().environment, ...own },
  });
}

/**
 * Starts an additional worker of a stack and waits until it is ready.
 *
 * @param pools names, separated by commas
 * @param env additional environment variables; WORKER_HEALTH_PORT chooses the port
 */
export async function startWorker(
  { environment }: Pick<RunningStack, 'environment'>,
  pools: string,
  env: Record<string, string> = {},
): Promise<ReplicaProcess> {
  const port = env['WORKER_HEALTH_PORT'] === undefined ? findFreePort() : Number(env['WORKER_HEALTH_PORT']);
  return startProcess(port, {
    script: 'workers/main.js',
    args: [`--pools=${pools}`],
    env: { ...process.env, ...environment, WORKER_HEALTH_PORT: String(port), ...env },
  });
}

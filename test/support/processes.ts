import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readStack } from './stack';

/** An additional API process (a replica) on the engines of the running stack. */
export interface ApiProcess {
  url: string;
  port: number;
  /** Sends SIGTERM and waits for the end. @returns the exit code; null if it was killed */
  stop(): Promise<number | null>;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a replica of the API and waits until it is ready.
 *
 * @param env additional environment variables; PORT chooses the port
 * @throws Error with its output if it does not start
 */
export async function startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
  const port = env['PORT'] === undefined ? await findFreePort() : Number(env['PORT']);
  const url = `http://127.0.0.1:${port}`;
  const { environment } = readStack();
  const child = spawn(process.execPath, [path.resolve(__dirname, '..', '..', 'dist', 'api', 'main.js')], {
    env: { ...process.env, ...environment, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The API did not start: ${printed}`);
    await delay(100);
  }
  return {
    url,
    port,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

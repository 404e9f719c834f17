import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createApp } from '../../api/app';
import { makeDemoImages } from '../../scripts/demo/images';
import { Check } from '../../models/identity/checks/check';
import { call } from '../support/client';
import { startApi } from '../support/processes';
import { readStack } from '../support/stack';
import { closeTestPlatform, createTenant, getTestPlatform } from '../support/tenant';
import { pollUntilFound } from '../support/poll';

afterAll(closeTestPlatform);

/** The port that an API process logs when it is listening. */
async function waitForPort(stdout: AsyncIterable<Buffer>): Promise<number> {
  let text = '';
  for await (const chunk of stdout) {
    text += chunk.toString('utf8');
    const port = /"port":(\d+),"msg":"API is listening"/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The API ended: ${text}`);
}

test('on SIGTERM the API completes the pending request, accepts no other, and exits cleanly', async () => {
  const tenant = await createTenant('Shutdown');
  const { passport } = await makeDemoImages();
  const child = spawn(process.execPath, [path.resolve('dist/api/main.js')], {
    env: { ...process.env, ...readStack().environment, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const api = `http://127.0.0.1:${await waitForPort(child.stdout)}`;
    const first = await call('POST', '/v1/documents/id-verification?wait=0', {
      api,
      key: tenant.identityKey,
      form: { frontImage: passport },
    });
    const { check } = first.body as { check: { id: string } };
    const pending = call('POST', '/v1/documents/id-verification?wait=60', {
      api,
      key: tenant.identityKey,
      form: { frontImage: passport },
    });
    // The pending request has reached the API when its check is recorded in addition to the first.
    for (let seen = 1; seen < 2;) {
      seen = await Check.countDocuments({ organisationId: tenant.organisationId });
    }
    child.kill('SIGTERM');
    const response = await pending;
    expect(response.body).toMatchObject({ ok: true, check: { status: 'completed' } });
    expect((response.body as { check: { id: string } }).check.id).not.toBe(check.id);
    expect(await ended).toEqual([0, null]);
    await expect(call('GET', '/healthz', { api })).rejects.toThrow();
  } finally {
    child.kill('SIGKILL');
  }
});

test('an API that is shutting down is not ready', async () => {
  const app = createApp(await getTestPlatform(), { isDraining: () => true });
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await call('GET', '/readyz', { api })).toMatchObject({ status: 503, body: { ok: false } });
    expect(await call('GET', '/healthz', { api })).toMatchObject({ status: 200 });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Clients behind a balancer that sends a request to the next replica only if the connection was refused. As a balancer that
 * asks `/readyz` does, it sends nothing to a replica that is starting.
 */
class BalancedLoad {
  answered = 0;
  closing = 0;
  readonly failures: string[] = [];
  private running = true;
  private next = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];

  constructor(
    private ports: readonly number[],
    private readonly key: string,
    clients: number,
  ) {
    this.clients = Array.from({ length: clients }, () => this.runClient());
  }

  /** Sends later requests to these ports. */
  balance(ports: readonly number[]): void {
    this.ports = ports;
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  /** Waits until `count` more requests have ended. */
  waitForMore(count: number): Promise<true> {
    const until = this.answered + this.failures.length + count;
    return pollUntilFound(() => Promise.resolve(this.answered + this.failures.length < until ? undefined : true));
  }

  private async runClient(): Promise<void> {
    for (let index = 0; this.running; index += 1) await this.sendToAny(index % 2 === 0 ? 'GET' : 'POST');
  }

  private async sendToAny(method: string): Promise<void> {
    for (;;) {
      const port = this.ports[this.next++ % this.ports.length] ?? 0;
      try {
        const { statusCode, headers } = await this.send(port, method);
        if (statusCode !== 200 && statusCode !== 201) this.failures.push(`${method}: status ${statusCode}`);
        else this.answered += 1;
        if (headers.connection === 'close') this.closing += 1;
        return;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        if (code === 'ECONNREFUSED') continue;
        this.failures.push(`${method}: ${code}`);
        return;
      }
    }
  }

  private send(port: number, method: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': this.key, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
      const path = method === 'GET' ? '/v1/sessions?limit=1' : '/v1/sessions';
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: this.agent }, (response) => {
        response
          .resume()
          .once('end', () => resolve(response))
          .once('error', reject);
      });
      sent.once('error', reject);
      sent.end(method === 'POST' ? '{}' : undefined);
    });
  }
}

test('the restart of one of two replicas under keep-alive load fails no request', async () => {
  const tenant = await createTenant('Rolling restart');
  const other = Number(new URL(readStack().api).port);
  let replica = await startApi();
  const load = new BalancedLoad([replica.port, other], tenant.identityKey, 6);
  try {
    await load.waitForMore(100);
    expect(await replica.stop()).toBe(0);
    load.balance([other]);
    replica = await startApi({ PORT: String(replica.port) });
    load.balance([replica.port, other]);
    await load.waitForMore(100);
  } finally {
    await load.stop();
    await replica.stop();
  }
  expect(load.failures).toEqual([]);
  expect(load.closing).toBeGreaterThan(0);
});

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { cacheResult } from './cached-result';

export type HealthCheck = () => Promise<void>;

/** Runs all checks in parallel. `ready` if none failed. */
async function runHealthChecks(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<{ ready: boolean; checks: Record<string, 'ok' | 'failed'> }> {
  const names = Object.keys(checks);
  const outcomes = await Promise.allSettled(Object.values(checks).map((check) => check()));
  const result = Object.fromEntries(
    names.map((name, index) => [name, outcomes[index]?.status === 'fulfilled' ? 'ok' : 'failed'] as const),
  );
  return { ready: outcomes.every((outcome) => outcome.status === 'fulfilled'), checks: result };
}

/** The result of the checks is used for this long: each of them asks a store. */
const KEEP_MS = 1000;

/** Checks that many callers may ask for: they run at most once a second. */
export const keepHealthChecks = (
  checks: Readonly<Record<string, HealthCheck>>,
): (() => ReturnType<typeof runHealthChecks>) => cacheResult(KEEP_MS, () => runHealthChecks(checks));

/** Serves `/healthz` (the process is running) and `/readyz` (it can work) of a worker. */
export async function startHealthServer(
  host: string,
  port: number,
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Server> {
  const check = keepHealthChecks(checks);
  const server = createServer((request, response) => {
    const sendJson = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return sendJson(200, { ok: true });
    if (request.url !== '/readyz') return sendJson(404, { ok: false });
    void check().then((result) => sendJson(result.ready ? 200 : 503, { ok: result.ready, checks: result.checks }));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return server;
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { cacheResult } from './cached-result';
import { KEEP_ALIVE_MS } from './http-keep-alive';
import { isMetricsToken, METRICS_CONTENT_TYPE, METRICS_TOKEN_REQUIRED } from './metrics/access';

export type HealthCheck = () => Promise<void>;

/** Runs all checks in parallel. `ready` if none failed. */
async function runHealthChecks(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<{ ready: boolean; checks: Record<string, 'ok' | 'failed'> }> {
  const names = Object.keys(checks);
  const outcomes = await Promise.allSettled(Object.values(checks).map(async (check) => check()));
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

/** `/metrics` of a worker, for the bearer of the token. */
export interface MetricsPage {
  token: string;
  read: () => Promise<string>;
}

async function sendMetrics(
  { token, read }: MetricsPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isMetricsToken(request.headers.authorization, token)) {
    const body = await read();
    response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE, 'cache-control': 'no-store' }).end(body);
  } else {
    const headers = { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' };
    response.writeHead(401, headers).end(METRICS_TOKEN_REQUIRED);
  }
}

/**
 * Serves `/healthz` (the process is running), `/readyz` (it can work) and, with a metrics page, `/metrics` of a worker.
 * @throws Error of the network if it cannot listen, such as on a port that is in use
 */
export async function startHealthServer(
  host: string,
  port: number,
  checks: Readonly<Record<string, HealthCheck>>,
  metrics?: MetricsPage,
): Promise<Server> {
  const check = keepHealthChecks(checks);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const sendJson = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return sendJson(200, { ok: true });
    const sendFailure = (): void => sendJson(500, { ok: false });
    if (request.url === '/metrics' && metrics !== undefined)
      return void sendMetrics(metrics, request, response).catch(sendFailure);
    if (request.url !== '/readyz') return sendJson(404, { ok: false });
    check()
      .then((result) => sendJson(result.ready ? 200 : 503, { ok: result.ready, checks: result.checks }))
      .catch(sendFailure);
  });
  // Rejects if the port is in use.
  await once(server.listen(port, host), 'listening');
  return server;
}

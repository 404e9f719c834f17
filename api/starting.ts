import type { RequestListener } from 'node:http';
import type { StartCheck } from '../lib/await-available';

const RETRY_AFTER_SECONDS = '5';

/**
 * Answers while the process waits for what it cannot start without: it is alive and not ready.
 * @param awaited name of the check in `/readyz`
 */
export const answerWhileStarting =
  (awaited: StartCheck): RequestListener =>
  (request, response) => {
    const sendJson = (status: number, body: object): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': RETRY_AFTER_SECONDS })
        .end(JSON.stringify(body));
    };
    request.resume();
    if (request.url === '/healthz') return sendJson(200, { ok: true });
    if (request.url === '/readyz') return sendJson(503, { ok: false, checks: { [awaited]: 'failed' } });
    const message = 'The service is starting; try again.';
    sendJson(503, { ok: false, error: { code: 'unavailable', message } });
  };

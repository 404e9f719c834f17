import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  VouchClient,
  VouchError,
  WaitTimeoutError,
} from '../../../clients/typescript/src';
import type { ClientOptions } from '../../../clients/typescript/src';

interface SeenRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}
type StubResponse =
  | { status: number; body?: object; text?: string; headers?: Record<string, string> }
  | 'cut'
  | 'cut within the body';

let server: Server;
let seen: SeenRequest[];
let stubResponses: StubResponse[];

beforeEach(async () => {
  seen = [];
  stubResponses = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = Buffer.concat(chunks).toString('latin1');
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers, body });
      const stubResponse = stubResponses.length > 1 ? stubResponses.shift() : stubResponses[0];
      if (stubResponse === 'cut' || stubResponse === undefined) return response.destroy();
      if (stubResponse === 'cut within the body') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        return response.write('{"ok": true', () => response.destroy());
      }
      response.writeHead(stubResponse.status, { 'content-type': 'application/json', ...stubResponse.headers });
      return response.end(stubResponse.text ?? JSON.stringify(stubResponse.body ?? { ok: stubResponse.status < 400 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const createClient = (options: Partial<ClientOptions> = {}): VouchClient => {
  const { port } = server.address() as AddressInfo;
  return new VouchClient({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'vk_test_1', ...options });
};

const buildFailure = (status: number, code: string, more: object = {}): StubResponse => ({
  status,
  body: { ok: false, error: { code, message: `It is ${code}.`, requestId: 'req_1', ...more } },
});

const catchError = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('a call', () => {
  test('carries key, query and JSON body, and answers what the service did', async () => {
    stubResponses = [{ status: 201, body: { ok: true, session: { id: 'ses_1' } } }];
    const response = await createClient().createSession({ externalId: 'c-1' });
    expect(response).toMatchObject({ session: { id: 'ses_1' } });
    await createClient().listSessions({ status: 'approved,declined', limit: 5 });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/sessions', body: '{"externalId":"c-1"}' });
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer vk_test_1', 'content-type': 'application/json' });
    expect(seen[1]?.url).toBe('/v1/sessions?status=approved%2Cdeclined&limit=5');
  });

  test('puts ids into the path so that they stay one part of it', async () => {
    stubResponses = [buildFailure(404, 'not_found')];
    await catchError(createClient().getSession('a/../b?c'));
    expect(seen[0]?.url).toBe('/v1/sessions/a%2F..%2Fb%3Fc');
  });

  test('sends files as Blob, bytes or path, and other fields as text', async () => {
    stubResponses = [{ status: 201 }];
    const folder = await mkdtemp(path.join(tmpdir(), 'vouch-client-'));
    const file = path.join(folder, 'front.jpg');
    await writeFile(file, 'front bytes');
    await createClient().verifyIdentityDocument({
      sessionId: 'ses_1',
      frontImage: file,
      backImage: new Blob(['back']),
    });
    await createClient().checkLiveness({ image: new TextEncoder().encode('selfie') });
    await rm(folder, { recursive: true });
    expect(seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen[0]?.body).toMatch(/name="sessionId"\r\n\r\nses_1\r\n/);
    expect(seen[0]?.body).toMatch(/name="frontImage"; filename="frontImage"[\s\S]*front bytes/);
    expect(seen[0]?.body).toMatch(/name="backImage"; filename="backImage"[\s\S]*back/);
    expect(seen[1]?.body).toContain('selfie');
  });
});

describe('errors', () => {
  test.each([
    [400, 'invalid_request', InvalidRequestError, false],
    [401, 'unauthorized', AuthenticationError, false],
    [403, 'forbidden', PermissionError, false],
    [404, 'not_found', NotFoundError, false],
    [409, 'session_closed', ConflictError, false],
    [413, 'file_too_large', InvalidRequestError, false],
    [422, 'idempotency_key_reused', InvalidRequestError, false],
    [429, 'rate_limit_exceeded', RateLimitError, true],
    [500, 'internal_error', ServiceError, true],
    [503, 'unavailable', ServiceError, true],
  ])(
    '%d %s is a class of its own with code, request id and whether to retry',
    async (status, code, Class, retryable) => {
      stubResponses = [buildFailure(status, code, { details: { fields: [{ field: 'name', problem: 'is wrong' }] } })];
      const error = await catchError(createClient({ maxRetries: 0 }).listSessions());
      expect(error).toBeInstanceOf(Class);
      expect(error).toMatchObject({ status, code, requestId: 'req_1', retryable, message: `It is ${code}.` });
      if (error instanceof InvalidRequestError) expect(error.fields).toEqual([{ field: 'name', problem: 'is wrong' }]);
    },
  );

  test('an answer that is not the service’s own is an error all the same', async () => {
    stubResponses = [{ status: 502, body: { message: 'proxy' }, headers: { 'x-request-id': 'req_9' } }];
    const error = await catchError(createClient({ maxRetries: 0 }).listSessions());
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 502, code: 'http_502', requestId: 'req_9' });
  });

  test('no answer is a connection error, a caller’s own abort is not', async () => {
    stubResponses = ['cut'];
    const error = await catchError(createClient({ maxRetries: 0 }).listSessions());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ status: 0, code: 'connection_failed', retryable: true });
    const aborted = await catchError(createClient().listSessions({}, { signal: AbortSignal.abort() }));
    expect(aborted).not.toBeInstanceOf(VouchError);
  });
});

describe('retries', () => {
  const busy: StubResponse = {
    ...(buildFailure(429, 'rate_limit_exceeded') as object),
    status: 429,
    headers: { 'retry-after': '0' },
  };
  const away: StubResponse = {
    ...(buildFailure(503, 'unavailable') as object),
    status: 503,
    headers: { 'retry-after': '0' },
  };

  test('429 and 503 are tried again under one idempotency key, as long as there are retries', async () => {
    stubResponses = [busy, away, { status: 201 }];
    await createClient().createSession();
    expect(seen).toHaveLength(3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
    stubResponses = [busy];
    expect(await catchError(createClient({ maxRetries: 1 }).createSession())).toBeInstanceOf(RateLimitError);
    expect(seen).toHaveLength(5);
  });

  test('a lost connection is tried again where a repeat changes nothing', async () => {
    stubResponses = ['cut', { status: 200 }];
    await createClient().listSessions();
    stubResponses = ['cut'];
    await catchError(createClient().testWebhook('whk_1'));
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });

  test('what may have been done is not repeated, what was refused beforehand is', async () => {
    stubResponses = [away];
    expect(await catchError(createClient().testWebhook('whk_1'))).toBeInstanceOf(ServiceError);
    expect(seen).toHaveLength(1);
    stubResponses = [busy, { status: 202 }];
    await createClient().testWebhook('whk_1');
    expect(seen).toHaveLength(3);
  });

  test('Retry-After is honoured, and thrown when it is too long', async () => {
    stubResponses = [{ status: 503, headers: { 'retry-after': '1' } }, { status: 200 }];
    const started = Date.now();
    await createClient().listSessions();
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    stubResponses = [{ status: 503, headers: { 'retry-after': '3600' } }];
    expect(await catchError(createClient().listSessions())).toMatchObject({ retryAfterSeconds: 3600 });
  });

  test('a key of the caller’s own is used', async () => {
    stubResponses = [{ status: 201 }];
    await createClient().createSession({}, { idempotencyKey: 'order-1' });
    expect(seen[0]?.headers['idempotency-key']).toBe('order-1');
  });
});

describe('lists and waiting', () => {
  test('an iterator requests a page only when its records are read', async () => {
    const page = (ids: string[], nextCursor: string | null): StubResponse => ({
      status: 200,
      body: { ok: true, sessions: ids.map((id) => ({ id })), total: 3, nextCursor },
    });
    stubResponses = [page(['a', 'b'], 'b'), page(['c'], null)];
    const ids: string[] = [];
    for await (const { id } of createClient().iterateSessions({ limit: 2 })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ url }) => url)).toEqual(['/v1/sessions?limit=2', '/v1/sessions?limit=2&cursor=b']);
    stubResponses = [page(['a'], 'a')];
    for await (const { id } of createClient().iterateSessions()) if (id === 'a') break;
    expect(seen).toHaveLength(3);
  });

  test('the service waits for a check at most as long as requested', async () => {
    const check = (status: string): StubResponse => ({
      status: 200,
      body: { ok: true, check: { id: 'chk_1', status } },
    });
    stubResponses = [check('processing'), check('completed')];
    expect(await createClient().waitForCheck('chk_1', { intervalSeconds: 0.01 })).toMatchObject({
      status: 'completed',
    });
    expect(seen[0]?.url).toBe('/v1/checks/chk_1?wait=25');
    stubResponses = [check('processing')];
    const waiting = createClient().waitForCheck('chk_1', { timeoutSeconds: 0.05, intervalSeconds: 0.02 });
    expect(await catchError(waiting)).toBeInstanceOf(WaitTimeoutError);
  });

  test('asks the service to wait whole seconds, and no longer than the time that is left', async () => {
    stubResponses = [{ status: 200, body: { ok: true, check: { id: 'chk_1', status: 'processing' } } }];
    const waiting = createClient().waitForCheck('chk_1', { timeoutSeconds: 1.9, intervalSeconds: 1 });
    expect(await catchError(waiting)).toBeInstanceOf(WaitTimeoutError);
    expect(seen.map(({ url }) => url)).toEqual(['/v1/checks/chk_1?wait=1', '/v1/checks/chk_1?wait=0']);
  });

  test('ends at once when it is aborted between two requests', async () => {
    const controller = new AbortController();
    const reason = new Error('Not needed any more.');
    const read = (): Promise<string> => {
      setImmediate(() => controller.abort(reason));
      return Promise.resolve('processing');
    };
    const startedAt = Date.now();
    const waiting = createClient().waitUntil(read, (status) => status !== 'processing', {
      intervalSeconds: 20,
      signal: controller.signal,
    });
    expect(await catchError(waiting)).toBe(reason);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('a successful response', () => {
  test('whose connection ends within its body is requested again, where that is safe', async () => {
    stubResponses = ['cut within the body', { status: 200, body: { ok: true, session: { id: 'ses_1' } } }];
    expect(await createClient().getSession('ses_1')).toMatchObject({ session: { id: 'ses_1' } });
    expect(seen).toHaveLength(2);
  });

  test('whose connection always ends within its body is an error and no empty result', async () => {
    stubResponses = ['cut within the body'];
    const error = await catchError(createClient({ maxRetries: 0 }).getSession('ses_1'));
    expect(error).toBeInstanceOf(ConnectionError);
  });

  test('that is not JSON is an error and no empty result', async () => {
    stubResponses = [{ status: 200, text: '<!doctype html><title>Sign in</title>' }];
    const error = await catchError(createClient().getSession('ses_1'));
    expect(error).toBeInstanceOf(VouchError);
    expect(error).toMatchObject({ status: 200, code: 'invalid_response', retryable: false });
    expect(seen).toHaveLength(1);
  });
});

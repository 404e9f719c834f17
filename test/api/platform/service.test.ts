import { request } from 'node:http';
import { z } from 'zod';
import { startOwnApi } from '../../support/business/own-api';
import { call, getApiUrl } from '../../support/client';
import { pollUntilFound } from '../../support/poll';
import { closeTestPlatform } from '../../support/tenant';

afterAll(closeTestPlatform);

/** The parameters of the operations of an OpenAPI document. */
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.object({ in: z.string(), name: z.string() })).optional() })),
  ),
});

/** Sends a request with a method that `fetch` refuses to send, such as TRACE. */
const send = (method: string, path: string) =>
  new Promise<{ status: number | undefined; allow: string | undefined; text: string }>((resolve, reject) => {
    const sent = request(`${getApiUrl()}${path}`, { method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, allow: response.headers.allow, text }));
    });
    sent.on('error', reject).end();
  });

describe('the service', () => {
  test('healthz reports that the process is running, readyz that its stores and models respond', async () => {
    expect((await call('GET', '/healthz')).body).toEqual({ ok: true });
    // A store that takes seconds to respond, as on a busy machine, counts as failed.
    const ready = await pollUntilFound(async () => {
      const response = await call('GET', '/readyz');
      return response.status === 200 ? response : undefined;
    });
    expect(ready.body).toEqual({
      ok: true,
      checks: { mongodb: 'ok', temporal: 'ok', objects: 'ok', keys: 'ok', models: 'ok' },
    });
  });

  test.each(['identity', 'business'])('serves the OpenAPI 3.1 document of the %s API', async (name) => {
    const document = await call('GET', `/openapi/${name}.json`);
    expect(document.status).toBe(200);
    expect(document.body).toMatchObject({ openapi: '3.1.0' });
  });

  test('the documentation page loads nothing from other hosts', async () => {
    const page = await call('GET', '/docs');
    expect(page.status).toBe(200);
    const html = page.bytes.toString('utf8');
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\//);
      expect((await call('GET', source)).status).toBe(200);
    }
  });

  test.each(['/v1/sessions', '/api/products', '/docs', '/elsewhere'])(
    '%s instructs browsers to load, embed, sniff and refer nothing',
    async (path) => {
      const { headers } = await call('GET', path);
      const policy = new Set((headers.get('content-security-policy') ?? '').split(';'));
      for (const directive of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(directive);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  test('in production only requests over https are accepted, and browsers keep to it for a year', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const request = async (proxies: string[], path = '/v1/sessions') => {
      const own = await startOwnApi({ NODE_ENV: 'production', TRUSTED_PROXIES: proxies });
      return call('GET', path, { api: own.url, headers }).finally(() => own.close());
    };
    const throughProxy = await request(['loopback']);
    expect(throughProxy.status).toBe(401);
    expect(throughProxy.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    // Only proxies that the operator names are believed.
    expect((await request(['203.0.113.7'])).body).toMatchObject({ error: { code: 'https_required' } });
    const business = await request(['203.0.113.7'], '/api/products');
    expect([business.status, business.body]).toEqual([
      403,
      expect.objectContaining({ ok: false, code: 'https_required', message: 'Use https.' }),
    ]);
    // Prometheus asks each replica, past the proxy.
    expect((await request(['203.0.113.7'], '/metrics')).status).toBe(401);
  });

  test.each([
    ['/v1/nothing-here', { ok: false, error: { code: 'not_found' } }],
    ['/api/nothing-here', { ok: false, code: 'not_found', message: expect.any(String) as string }],
    ['/elsewhere', { ok: false, error: { code: 'not_found' } }],
  ])('an unknown path %s is 404 in the envelope of its API', async (path, body) => {
    const response = await call('GET', path);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject(body);
  });

  test.each([
    ['PUT', '/v1/keys', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['TRACE', '/v1/sessions', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['TRACE', '/api/products/1', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['DELETE', '/api/products/categories', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['TRACE', '/docs', ['GET', 'HEAD', 'OPTIONS']],
    ['POST', '/healthz', ['GET', 'HEAD', 'OPTIONS']],
  ])('%s %s is 405 and lists the accepted methods', async (method, path, accepted) => {
    const response = await send(method, path);
    expect(response.status).toBe(405);
    expect(response.allow?.split(', ').sort()).toEqual(accepted);
    expect(JSON.parse(response.text)).toMatchObject({ ok: false });
    expect(response.text).toContain(path.startsWith('/v1') ? '"code":"method_not_allowed"' : 'method');
  });

  test('OPTIONS lists the methods of a path', async () => {
    const response = await send('OPTIONS', '/api/products');
    expect([response.status, response.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  test.each(['/v1/sessions', '/api/products'])(
    'pages of the configured origins, and no others, can call %s with a credential',
    async (path) => {
      const { origin } = new URL(getApiUrl());
      const preflight = (from: string) =>
        call('OPTIONS', path, {
          headers: {
            origin: from,
            'access-control-request-method': 'PUT',
            'access-control-request-headers': 'authorization, if-match, idempotency-key',
          },
        });
      const allowed = await preflight(origin);
      expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
      expect(allowed.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key.*If-Match/);
      expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
      const read = await call('GET', path, { headers: { origin } });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    },
  );

  test.each([
    ['/v1/sessions', '/openapi/identity.json'],
    ['/api/products', '/openapi/business.json'],
  ])('pages of the configured origins can send every documented header to %s', async (path, document) => {
    const { paths } = documentSchema.parse((await call('GET', document)).body);
    const parameters = Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation.parameters ?? []),
    );
    const documented = new Set(parameters.flatMap((each) => (each.in === 'header' ? each.name : [])));
    expect(documented).toContain('Idempotency-Key');
    const { headers } = await call('OPTIONS', path, {
      headers: { origin: new URL(getApiUrl()).origin, 'access-control-request-method': 'POST' },
    });
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(',');
    expect([...documented].filter((name) => allowed?.includes(name.toLowerCase()) !== true)).toEqual([]);
  });

  test('every response has a request id, the client’s own if it is valid', async () => {
    const own = await call('GET', '/v1/nothing-here', { headers: { 'x-request-id': 'order-7' } });
    expect(own.headers.get('x-request-id')).toBe('order-7');
    const withInvalidId = await call('GET', '/v1/nothing-here', { headers: { 'x-request-id': 'bad id {}' } });
    expect(withInvalidId.headers.get('x-request-id')).toMatch(/^req_/);
  });
});

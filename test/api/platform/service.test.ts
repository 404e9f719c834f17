import { call } from '../../support/client';

describe('the service', () => {
  test('healthz reports that the process is running, readyz that its stores and models respond', async () => {
    expect((await call('GET', '/healthz')).body).toEqual({ ok: true });
    const ready = await call('GET', '/readyz');
    expect(ready.body).toEqual({ ok: true, checks: { mongodb: 'ok', temporal: 'ok', objects: 'ok', models: 'ok' } });
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

  test.each([
    ['/v1/nothing-here', { ok: false, error: { code: 'not_found' } }],
    ['/api/nothing-here', { ok: false, code: 'not_found', message: expect.any(String) as string }],
    ['/elsewhere', { ok: false, error: { code: 'not_found' } }],
  ])('an unknown path %s is 404 in the envelope of its API', async (path, body) => {
    const response = await call('GET', path);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject(body);
  });

  test('a known path with another method is 405 and lists the accepted methods', async () => {
    const response = await call('PUT', '/v1/keys');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect(response.body).toMatchObject({ ok: false, error: { code: 'method_not_allowed' } });
  });

  test('every response has a request id, the client’s own if it is valid', async () => {
    const own = await call('GET', '/v1/nothing-here', { headers: { 'x-request-id': 'order-7' } });
    expect(own.headers.get('x-request-id')).toBe('order-7');
    const withInvalidId = await call('GET', '/v1/nothing-here', { headers: { 'x-request-id': 'bad id {}' } });
    expect(withInvalidId.headers.get('x-request-id')).toMatch(/^req_/);
  });
});

import { call } from '../../../support/client';
import {
  createSession,
  getSession,
  listPending,
  listSessions,
  createSessionInReview,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
afterAll(closeTestPlatform);

describe('listing sessions', () => {
  let lister: IdentityTenant;
  let ids: string[];

  beforeAll(async () => {
    lister = await createIdentityTenant('Lists');
    ids = [];
    for (let i = 0; i < 5; i += 1) {
      ids.unshift((await createSession(lister.identityKey, { externalId: i % 2 === 0 ? 'even' : 'odd' })).id);
    }
  });

  test('returns the newest first, page by page, with the exact total', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const page = await listSessions(lister.identityKey, query);
      expect(page.total).toBe(5);
      seen.push(...page.sessions.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  test('returns the oldest first on request, page by page, also within a period and a search', async () => {
    const { identityKey: key } = lister;
    const today = new Date().toISOString().slice(0, 10);
    for (const [filter, expected] of [
      ['', ids.toReversed()],
      [`&from=${today}`, ids.toReversed()],
      ['&search=even', ids.filter((_id, index) => index % 2 === 0).toReversed()],
    ] as const) {
      const first = await listSessions(key, `?sortDir=asc&limit=2${filter}`);
      const rest = await listSessions(key, `?sortDir=asc&cursor=${first.nextCursor ?? ''}${filter}`);
      expect([...first.sessions, ...rest.sessions].map(({ id }) => id)).toEqual(expected);
      expect(rest.total).toBe(expected.length);
    }
    const { status, body } = await call('GET', '/v1/sessions?sortDir=up', { key });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must be asc or desc')]);
  });

  test.each([
    ['limit=1&limit=2', 'limit: must be given once'],
    ['externalId=odd&externalId=even', 'externalId: must be given once'],
    ['from=2026-11-28&from=2026-11-29', 'from: must be given once'],
    ['limit=0&limit=0', 'limit: accepts a whole number 1–100'],
    ['status=approved&status=nope', 'status: accepts, separated by commas: not_started'],
  ])('%s is rejected: %s', async (query, message) => {
    const { status, body } = await call('GET', `/v1/sessions?${query}`, { key: lister.identityKey });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)]);
  });

  test('filters by status, external id and time of creation', async () => {
    const { identityKey: key } = lister;
    expect((await listSessions(key, '?externalId=odd')).total).toBe(2);
    // As in the session, without space around it.
    expect((await listSessions(key, '?externalId=%20odd%20')).total).toBe(2);
    expect((await listSessions(key, '?status=not_started,in_review')).total).toBe(5);
    expect((await listSessions(key, '?status=not_started&status=in_review,approved')).total).toBe(5);
    expect((await listSessions(key, '?status=approved')).total).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect((await listSessions(key, `?from=${today}&to=${today}`)).total).toBe(5);
    const middle = (await getSession(key, ids[2] ?? '')).createdAt;
    const after = (await listSessions(key, `?from=${middle}`)).sessions.map(({ id }) => id);
    const before = (await listSessions(key, `?to=${middle}`)).sessions.map(({ id }) => id);
    expect(after).toEqual(ids.slice(0, 3));
    expect(before).toEqual(ids.slice(3));
  });

  test('filters by workflow and by country, expected or read', async () => {
    const { identityKey: key } = await createIdentityTenant('Filters');
    const created = await call('POST', '/v1/sessions/workflows', { key, json: { name: 'Filtered' } });
    const workflowId = (created.body['workflow'] as { id: string }).id;
    const french = await createSession(key, { expected: { country: 'FR' }, workflowId });
    const german = await createSession(key, { expected: { country: 'DEU' } });
    const listIds = async (query: string) => (await listSessions(key, query)).sessions.map(({ id }) => id);
    expect(await listIds(`?workflowId=${workflowId}`)).toEqual([french.id]);
    expect(await listIds('?country=fr')).toEqual([french.id]);
    expect(await listIds('?country=DEU&status=not_started')).toEqual([german.id]);
    expect(await listSessions(key, `?country=DEU&workflowId=${workflowId}`)).toMatchObject({ total: 0, sessions: [] });
  });

  test.each([
    ['?search=', 'search'],
    ['?country=XX', 'country'],
    ['?country=250', 'country'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1e1', 'limit'],
    ['?limit=many', 'limit'],
    ['?status=done', 'status'],
    ['?from=yesterday', 'from'],
    ['?page=2', 'page'],
    ['?cursor=nonsense', 'cursor'],
    ['?cursor=ses_ZZZZZZZZZZZZZZZZZZZZZZZZZZ', 'cursor'],
  ])('refuses %s by its name', async (query, field) => {
    const { status, body } = await call('GET', `/v1/sessions${query}`, { key: lister.identityKey });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field }] } } });
  });

  test('separates live and test', async () => {
    const sandbox = await lister.createIdentityKey(['sessions:read', 'sessions:write'], { mode: 'test' });
    const session = await createSession(sandbox);
    expect(session.mode).toBe('test');
    expect((await listSessions(sandbox)).sessions.map(({ id }) => id)).toEqual([session.id]);
    expect((await call('GET', `/v1/sessions/${session.id}`, { key: lister.identityKey })).status).toBe(404);
    expect((await listSessions(lister.identityKey)).total).toBe(5);
  });
});

describe('the review queue', () => {
  test('returns those waiting longest first, with the risks that caused the review', async () => {
    const reviewer = await createIdentityTenant('Queue');
    const { identityKey: key } = reviewer;
    const first = await createSessionInReview(key);
    const second = await createSessionInReview(key);
    await createSession(key);
    const page = await listPending(key, '?limit=1');
    expect(page.total).toBe(2);
    expect(page.sessions).toMatchObject([{ id: first.id, status: 'in_review' }]);
    expect(page.sessions[0]?.risks.map(({ code }) => code)).toEqual(['attempts_exhausted', 'no_face']);
    const next = await listPending(key, `?limit=1&cursor=${page.nextCursor ?? ''}`);
    expect(next.sessions.map(({ id }) => id)).toEqual([second.id]);
    const wrong = await call('GET', '/v1/sessions/pending?cursor=nonsense', { key });
    expect(wrong.status).toBe(400);
  });
});

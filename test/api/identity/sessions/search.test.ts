import { newId } from '../../../../lib/ids';
import { Session as SessionModel } from '../../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../../models/identity/sessions/session';
import { createSessionIndex } from '../../../../services/identity/sessions/session-index';
import { listSessions as listPage } from '../../../../services/identity/sessions/session-list';
import { call } from '../../../support/client';
import { createSession, listSessions } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import { MINUTE_MS } from '../../../../domain/durations';

afterAll(closeTestPlatform);

/** Inserts copies of a session, one minute apart, newest last; `name` returns the externalId of each. */
async function createSessions(key: string, count: number, name: (index: number) => string): Promise<string[]> {
  const { id } = await createSession(key, { externalId: 'pattern' });
  const pattern = await SessionModel.findById(id).lean<SessionRecord>();
  if (pattern === null) throw new Error('No pattern.');
  const index = await createSessionIndex(await getTestPlatform(), pattern);
  const first = Date.UTC(2026, 0, 1);
  const rows = Array.from({ length: count }, (_, position): SessionRecord => {
    const searchableFields = { _id: newId('ses'), number: pattern.number + position + 1, externalId: name(position) };
    // Two sessions per minute have the same time of creation.
    const createdAt = new Date(first + Math.floor(position / 2) * MINUTE_MS);
    return { ...pattern, ...searchableFields, ...index.describe(searchableFields), createdAt };
  });
  await SessionModel.insertMany(rows);
  return rows.map(({ _id }) => _id).reverse();
}

/** Reads all ids of a list page by page and expects the same total on each page. */
async function listAllPages(key: string, query: string, total: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof listSessions>> = await listSessions(
      key,
      `${query}&limit=37${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.total).toBe(total);
    ids.push(...page.sessions.map(({ id }) => id));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
}

describe('a search of sessions', () => {
  test('matches prefixes of words of externalId, number and id', async () => {
    const { identityKey: key } = await createIdentityTenant('Searches');
    const moreau = await createSession(key, { externalId: 'Case-4711 Lyon (old)' });
    const other = await createSession(key, { externalId: 'case-9999 Łódź' });
    const found = async (search: string) =>
      (await listSessions(key, `?search=${encodeURIComponent(search)}`)).sessions.map(({ id }) => id);
    expect(await found('case')).toEqual([other.id, moreau.id]);
    expect(await found('LYON')).toEqual([moreau.id]);
    expect(await found('47 ly')).toEqual([moreau.id]);
    expect(await found('case-47')).toEqual([moreau.id]);
    expect(await found('łó')).toEqual([other.id]);
    expect(await found(`#${moreau.number}`)).toContain(moreau.id);
    expect(await found(moreau.id)).toEqual([moreau.id]);
    expect(await found('yon')).toEqual([]);
    expect(await found('.*')).toEqual([]);
    expect(await found('case lyon nowhere')).toEqual([]);
    expect(await found('(old)')).toEqual([]);
  });

  test('pages through broad and narrow results, newest first, each once, with an exact total', async () => {
    const { identityKey: key } = await createIdentityTenant('Broad');
    const rare = (index: number): boolean => index % 90 === 0;
    const ids = await createSessions(key, 450, (index) => (rare(index) ? `rare-${index}` : `common-${index}`));
    const found = (isRare: boolean) => ids.filter((_, at) => rare(449 - at) === isRare);
    expect(await listAllPages(key, '?search=common', 445)).toEqual(found(false));
    expect(await listAllPages(key, '?search=rare', 5)).toEqual(found(true));
    expect(await listAllPages(key, '?search=rare%20rare-9', 1)).toEqual([ids[449 - 90]]);
    expect(await listAllPages(key, '?search=common&status=approved', 0)).toEqual([]);
  });

  test('continues after a page of which a session is erased while it is read', async () => {
    const tenant = await createIdentityTenant('Erased meanwhile');
    const ids = await createSessions(tenant.identityKey, 4, (index) => `meanwhile-${index}`);
    const erased = ids[1] ?? '';
    const find = SessionModel.find.bind(SessionModel);
    const spy = jest.spyOn(SessionModel, 'find').mockImplementationOnce((...parameters: Parameters<typeof find>) => {
      const [filter] = parameters;
      return find({ $and: [filter ?? {}, { _id: { $ne: erased } }] });
    });
    const platform = await getTestPlatform();
    const scope = { organisationId: tenant.organisationId, mode: 'live' } as const;
    const read = (cursor?: string) =>
      listPage(platform, scope, { search: 'meanwhile' }, { limit: 2, cursor, sortDir: 'desc' });
    const first = await read();
    spy.mockRestore();
    expect(first.records.map(({ _id }) => _id)).toEqual([ids[0]]);
    expect(first.nextCursor).toBe(erased);
    const second = await read(first.nextCursor ?? undefined);
    expect(second.records.map(({ _id }) => _id)).toEqual(ids.slice(2));
  });

  test('neither finds nor counts a deleted session', async () => {
    const { identityKey: key } = await createIdentityTenant('Deleted');
    const [gone, left] = [
      await createSession(key, { externalId: 'find 1' }),
      await createSession(key, { externalId: 'find 2' }),
    ];
    expect((await listSessions(key, '?search=find')).total).toBe(2);
    expect((await call('DELETE', `/v1/sessions/${gone.id}`, { key })).status).toBe(200);
    const { sessions, total } = await listSessions(key, '?search=find');
    expect([sessions.map(({ id }) => id), total]).toEqual([[left.id], 1]);
  });
});

test('a period is paged newest first, also with sessions created at the same time', async () => {
  const { identityKey: key } = await createIdentityTenant('Period');
  const ids = await createSessions(key, 200, (index) => `case-${index}`);
  const until = new Date(Date.UTC(2026, 0, 1) + 80 * MINUTE_MS).toISOString();
  const inside = ids.slice(200 - 160);
  expect(await listAllPages(key, `?from=2026-01-01&to=${until}`, 160)).toEqual(inside);
  const [cursor = ''] = inside;
  await SessionModel.deleteOne({ _id: cursor });
  // The last session of a page was erased meanwhile: its id contains its time of creation, which is now in this test.
  const { sessions } = await listSessions(key, `?from=2026-01-01&to=${until}&limit=3&cursor=${cursor}`);
  expect(sessions.map(({ id }) => id)).toEqual(inside.slice(1, 4));
});

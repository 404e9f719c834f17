import { pendingScreeningSchema } from '../../../../api/identity/aml/screening-responses';
import { AmlList } from '../../../../models/identity/aml/aml-list';
import { buildListId } from '../../../../services/identity/aml/catalogue';
import { call } from '../../../support/client';
import type { ApiResponse, RequestOptions } from '../../../support/client';
import { listEventTypes } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import { LISTED_ENTRIES, parseScreening, postScreening } from '../../../support/identity/screenings';

let tenant: IdentityTenant;
let testKey: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Screening');
  testKey = await tenant.createIdentityKey(['aml:screen', 'aml:read'], { mode: 'test' });
  await importOwnList(tenant.organisationId, LISTED_ENTRIES);
});
afterAll(closeTestPlatform);

const post = (json: object, options: RequestOptions = {}, query = ''): Promise<ApiResponse> =>
  postScreening(json, { key: tenant.identityKey, ...options }, query);

const screen = async (json: object, options: RequestOptions = {}) => parseScreening(await post(json, options));

describe('screening', () => {
  test('returns match, score and hits at the top level, with the list and its version', async () => {
    const response = await post({ fullName: 'Ramon Ostrander', entityType: 'person' });
    expect(response.body).toMatchObject({ ok: true, match: true });
    const { score, hits, screening } = parseScreening(response);
    expect(score).toBeGreaterThanOrEqual(95);
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ list: 'own', entryId: 'A1', caption: 'Ramón Quintavalle Ostrander' });
    expect(screening.listsSearched).toMatchObject([{ list: 'own', stale: false }]);
  });

  test('explains a score by components that add up to it', async () => {
    const { hits } = await screen({
      fullName: 'Ramon Quintavale Ostrander',
      entityType: 'person',
      dateOfBirth: '1965-03-02',
      nationality: 'pa',
      gender: 'male',
    });
    const [hit] = hits;
    const sum = hit?.explanation.reduce((total, { effect }) => total + effect, 0);
    expect(sum).toBeCloseTo(hit?.score ?? -1, 5);
    expect(hit?.explanation.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['name', 'date_of_birth', 'country', 'gender']),
    );
  });

  test('a different year of birth lowers the score, an equal document number overrides it', async () => {
    const other = await screen({ fullName: 'Ramon Ostrander', entityType: 'person', dateOfBirth: '1999-01-01' });
    const document = await screen({
      fullName: 'Somebody Else',
      entityType: 'person',
      documentNumber: 'px-0099887',
    });
    expect(other.hits[0]?.score).toBeLessThan(85);
    expect(document.match).toBe(true);
    expect(document.hits[0]?.explanation.map(({ part }) => part)).toContain('document');
  });

  test.each([
    ['Рамон Остранд', 'A1'],
    ['OSTRANDER, Ramón', 'A1'],
    ['Zephyrine Maritime Holdings GmbH & Co', 'A2'],
    ['ZEPHYRINE MARITIME', 'A2'],
    ['Khaled al-Mustaar', 'A4'],
  ])('finds %s whatever its script and order', async (fullName, entryId) => {
    const { hits } = await screen({ fullName, entityType: 'any', threshold: 60 });
    expect(hits.map((hit) => hit.entryId)).toContain(entryId);
  });

  test('a vessel is found by its IMO number', async () => {
    const { hits } = await screen({ fullName: 'Renamed Ship', entityType: 'vessel', documentNumber: '9812345' });
    expect(hits[0]?.entryId).toBe('A3');
  });

  test('a weak alias alone never makes a match', async () => {
    const { match } = await screen({ fullName: 'El Halcon', entityType: 'person' });
    expect(match).toBe(false);
  });

  test('a name without a hit has a result without a match', async () => {
    const response = await post({ fullName: 'Greta Wollenweber', entityType: 'person' });
    expect(response.body).toMatchObject({ ok: true, match: false, score: 0, hits: [] });
  });
});

describe('a screening without a result is never reported as no match', () => {
  test('without a list a live screening is 503 with Retry-After, while a test key has the fictional list', async () => {
    const bare = await createIdentityTenant('Bare');
    const live = await post({ fullName: 'Anyone' }, { key: bare.identityKey });
    expect(live.status).toBe(503);
    expect(live.body).toMatchObject({ ok: false, error: { code: 'lists_unavailable' } });
    expect(live.headers.get('retry-after')).not.toBeNull();
    expect(live.body['match']).toBeUndefined();
    const fictional = await screen({ fullName: 'Aurelio Quillfeather', entityType: 'person' }, { key: testKey });
    expect(fictional.match).toBe(true);
    expect(fictional.screening.listsSearched.map(({ list }) => list)).toEqual(['fictional']);
    expect((await call('GET', '/v1/aml/lists', { key: testKey })).body).toMatchObject({
      lists: [{ code: 'fictional', loaded: true, stale: false, version: null }],
    });
  });

  test('a test key does not see the lists of live mode', async () => {
    expect((await screen({ fullName: 'Ramon Ostrander' }, { key: testKey })).match).toBe(false);
  });

  test('an unknown list is reported by name, a known list that is not loaded is 503', async () => {
    const unknown = await post({ fullName: 'Anyone', lists: ['own', 'nowhere'] });
    expect(unknown.status).toBe(400);
    expect(JSON.stringify(unknown.body)).toContain('nowhere');
    expect((await post({ fullName: 'Anyone', lists: ['opensanctions'] })).status).toBe(503);
  });

  test('another organisation does not see an own list', async () => {
    const stranger = await createIdentityTenant('Stranger');
    expect((await post({ fullName: 'Ramon Ostrander', lists: ['own'] }, { key: stranger.identityKey })).status).toBe(
      400,
    );
  });

  test.each([
    [{}, 'fullName'],
    [{ fullName: '···' }, 'fullName'],
    [{ fullName: 'X Y', entityType: 'alien' }, 'entityType'],
    [{ fullName: 'X Y', dateOfBirth: '1.2.1990' }, 'dateOfBirth'],
    [{ fullName: 'X Y', dateOfBirth: '1990-31-12' }, 'dateOfBirth'],
    [{ fullName: 'X Y', dateOfBirth: '1990-02-30' }, 'dateOfBirth'],
    [{ fullName: 'X Y', dateOfBirth: '1990-13' }, 'dateOfBirth'],
    [{ fullName: 'X Y', nationality: 'XQX' }, 'nationality'],
    [{ fullName: 'X Y', threshold: 5 }, 'threshold'],
    [{ fullName: 'X Y', unheard: 1 }, 'unheard'],
  ])('%j is refused by name', async (json, field) => {
    const response = await post(json);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(field);
  });
});

describe('a screening as a record', () => {
  test('wait=0 returns 202 with a Location, at which the result is available later', async () => {
    const response = await post({ fullName: 'Ramon Ostrander' }, {}, '?wait=0');
    expect(response.status).toBe(202);
    const { screening } = pendingScreeningSchema.parse(response.body);
    expect(response.body['match']).toBeUndefined();
    const later = await call('GET', `/v1/aml/screenings/${screening.id}?wait=60`, { key: tenant.identityKey });
    expect(parseScreening(later).match).toBe(true);
    expect(await listEventTypes(screening.id)).toEqual(['check.completed']);
  });

  test('the same Idempotency-Key returns the same screening', async () => {
    const headers = { 'idempotency-key': `aml-${Date.now()}` };
    const first = await screen({ fullName: 'Ramon Ostrander' }, { headers });
    const second = await screen({ fullName: 'Ramon Ostrander' }, { headers });
    expect(second.screening.id).toBe(first.screening.id);
    expect((await post({ fullName: 'Other' }, { headers })).status).toBe(422);
  });

  test('is answered again under its Idempotency-Key although its list is no longer loaded', async () => {
    const own = await createIdentityTenant('Unloaded list');
    await importOwnList(own.organisationId, [{ id: 'U1', type: 'person', name: 'Unrelated Person' }]);
    const send = () =>
      post(
        { fullName: 'Ramon Ostrander', lists: ['own'] },
        { key: own.identityKey, headers: { 'idempotency-key': 'aml-unloaded' } },
      );
    const first = parseScreening(await send());
    await AmlList.updateOne({ _id: buildListId('own', own.organisationId) }, { $set: { currentVersion: null } });
    expect(parseScreening(await send())).toEqual(first);
    expect((await post({ fullName: 'Ramon Ostrander' }, { key: own.identityKey })).status).toBe(503);
  });

  test('an empty wait is refused instead of being answered without a result', async () => {
    const { status, body } = await post({ fullName: 'Ramon Ostrander' }, {}, '?wait=');
    expect([status, body]).toMatchObject([400, { error: { details: { fields: [{ field: 'wait' }] } } }]);
  });

  test('is listed newest first with its outcome, without the subject, filtered by match and status', async () => {
    const own = await createIdentityTenant('Listed screenings');
    const ownKey = await own.createIdentityKey(['aml:screen', 'aml:read'], { mode: 'test' });
    const ids: string[] = [];
    for (const fullName of ['Nobody Inparticular', 'Somebody Elseagain']) {
      const { body } = await call('POST', '/v1/aml/screen', { key: ownKey, json: { fullName } });
      ids.unshift((body['screening'] as { id: string }).id);
    }
    const list = await call('GET', '/v1/aml/screenings?limit=1', { key: ownKey });
    expect(list.body).toMatchObject({ total: 2, nextCursor: ids[0], screenings: [{ id: ids[0], match: false }] });
    expect(JSON.stringify(list.body)).not.toContain('Elseagain');
    const rest = await call('GET', `/v1/aml/screenings?cursor=${ids[0] ?? ''}`, { key: ownKey });
    expect(rest.body).toMatchObject({ total: 2, nextCursor: null, screenings: [{ id: ids[1], hitCount: 0 }] });
    expect((await call('GET', '/v1/aml/screenings?match=true', { key: ownKey })).body).toMatchObject({ total: 0 });
    expect((await call('GET', '/v1/aml/screenings?status=done', { key: ownKey })).status).toBe(400);
  });

  test('is deleted with all data about the subject, whose monitoring ends', async () => {
    const { screening } = await screen({ fullName: 'Ramon Ostrander', monitoring: true });
    const listSubjects = async () =>
      (
        (await call('GET', '/v1/aml/monitors?limit=100', { key: tenant.identityKey })).body['monitors'] as {
          screeningId: string;
        }[]
      ).map(({ screeningId }) => screeningId);
    expect(await listSubjects()).toContain(screening.id);
    const gone = await call('DELETE', `/v1/aml/screenings/${screening.id}`, { key: tenant.identityKey });
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({
      id: screening.id,
      deleted: true,
      erasure: { kind: 'screening', status: 'completed', dataKeysDestroyed: 1 },
    });
    const { erasure } = gone.body as { erasure: { collections: { name: string; removed: number }[] } };
    const removed = Object.fromEntries(erasure.collections.map((each) => [each.name, each.removed]));
    expect(removed).toMatchObject({ aml_screenings: 1, aml_monitors: 1, aml_hits: 1 });
    expect(await listSubjects()).not.toContain(screening.id);
    expect((await call('GET', `/v1/aml/screenings/${screening.id}`, { key: tenant.identityKey })).status).toBe(404);
    expect((await call('DELETE', `/v1/aml/screenings/${screening.id}`, { key: tenant.identityKey })).status).toBe(404);
  });
});

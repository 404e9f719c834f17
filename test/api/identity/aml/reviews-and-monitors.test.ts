import { z } from 'zod';
import { hitSchema } from '../../../../api/identity/aml/screening-responses';
import { ApiKey } from '../../../../models/platform/access/api-key';
import { call } from '../../../support/client';
import type { ApiResponse, RequestOptions } from '../../../support/client';
import { listEventTypes } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { LISTED_ENTRIES, parseScreening, postScreening } from '../../../support/identity/screenings';

let tenant: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Reviews and monitors');
  await importOwnList(tenant.organisationId, LISTED_ENTRIES);
});
afterAll(closeTestPlatform);

const screen = async (json: object, options: RequestOptions = {}) =>
  parseScreening(await postScreening(json, { key: tenant.identityKey, ...options }));

describe('review of hits', () => {
  const review = (id: string, status: string): Promise<ApiResponse> =>
    call('POST', `/v1/aml/hits/${id}/review`, { key: tenant.identityKey, json: { status, reason: 'Another person.' } });

  test('a false positive applies to the same subject, and to no other', async () => {
    const subject = { fullName: 'Ramon Ostrander', entityType: 'person', dateOfBirth: '1965' };
    const first = await screen(subject);
    const reviewed = await review(first.hits[0]?.id ?? '', 'false_positive');
    expect(reviewed.status).toBe(200);
    expect(reviewed.body).toMatchObject({ match: false, score: 0 });
    expect(hitSchema.parse(reviewed.body['hit']).reviewStatus).toBe('false_positive');
    const again = await screen(subject);
    expect(again.match).toBe(false);
    expect(again.hits[0]?.reviewStatus).toBe('false_positive');
    const other = await screen({ ...subject, dateOfBirth: '1965-03-02' });
    expect(other.match).toBe(true);
    expect(other.hits[0]?.reviewStatus).toBe('unreviewed');
  });

  test.each([
    ['inconclusive', '1965-02'],
    ['confirmed', '1965-04'],
  ])('a review as %s leaves the hit a match, also in later screenings of the subject', async (status, dateOfBirth) => {
    const subject = { fullName: 'Ramon Ostrander', entityType: 'person', dateOfBirth };
    const { hits, score } = await screen(subject);
    const reviewed = await review(hits[0]?.id ?? '', status);
    expect(reviewed).toMatchObject({ status: 200, body: { match: true, score, hit: { reviewStatus: status } } });
    expect(await screen(subject)).toMatchObject({ match: true, score, hits: [{ reviewStatus: status }] });
  });

  test('names its reviewer, until the key is deleted', async () => {
    const reviewerKey = await tenant.createIdentityKey(['aml:review']);
    const { hits, screening } = await screen({
      fullName: 'Ramon Ostrander',
      entityType: 'person',
      dateOfBirth: '1964',
    });
    const reviewed = await call('POST', `/v1/aml/hits/${hits[0]?.id}/review`, {
      key: reviewerKey,
      json: { status: 'confirmed', reason: 'The same person.' },
    });
    const { review: named } = hitSchema.parse(reviewed.body['hit']);
    expect(named).toMatchObject({ by: expect.stringMatching(/^key_/) as string, byName: 'Test' });
    await ApiKey.deleteOne({ _id: String(named?.by) });
    const later = await call('GET', `/v1/aml/screenings/${screening.id}`, { key: tenant.identityKey });
    expect(parseScreening(later).hits[0]?.review).toEqual({ ...named, byName: null });
  });

  test('no longer applies when the entry changes', async () => {
    const own = await createIdentityTenant('Changing');
    const options = { key: own.identityKey };
    const entry = { id: 'C1', type: 'person', name: 'Casimir Changeable' };
    await importOwnList(own.organisationId, [entry]);
    const subject = { fullName: 'Casimir Changeable', entityType: 'person' };
    const { hits } = await screen(subject, options);
    await call('POST', `/v1/aml/hits/${hits[0]?.id}/review`, {
      ...options,
      json: { status: 'false_positive', reason: 'Another person.' },
    });
    expect((await screen(subject, options)).match).toBe(false);
    await importOwnList(own.organisationId, [{ ...entry, countries: 'FR' }]);
    expect((await screen(subject, options)).match).toBe(true);
  });

  test("another organisation's hit is a 404", async () => {
    const stranger = await createIdentityTenant('Stranger');
    const { hits } = await screen({ fullName: 'Zephyrine Maritime Holdings', entityType: 'company' });
    const response = await call('POST', `/v1/aml/hits/${hits[0]?.id}/review`, {
      key: stranger.identityKey,
      json: { status: 'confirmed', reason: 'x' },
    });
    expect(response.status).toBe(404);
  });
});

describe('monitoring', () => {
  const listMonitors = async (key: string) => (await call('GET', '/v1/aml/monitors', { key })).body;

  test('a new entry raises an alert for its subject and screens no other subject again', async () => {
    const own = await createIdentityTenant('Monitoring');
    const options = { key: own.identityKey };
    await importOwnList(own.organisationId, [{ id: 'M1', type: 'person', name: 'Unrelated Person' }]);
    const { screening, match } = await screen({ fullName: 'Leocadia Brandwurst', monitoring: true }, options);
    const unaffected = await screen({ fullName: 'Thaddeus Piepenbrink', monitoring: true }, options);
    expect(match).toBe(false);
    const { version } = await importOwnList(own.organisationId, [
      { id: 'M1', type: 'person', name: 'Unrelated Person' },
      { id: 'M2', type: 'person', name: 'Leocadia Brandwurst' },
    ]);
    await pollUntilFound(async () => ((await listEventTypes(screening.id)).includes('aml.alert') ? true : undefined));
    const body = await listMonitors(own.identityKey);
    expect(body).toMatchObject({ total: 2 });
    const monitors = z
      .array(z.object({ screeningId: z.string(), lastScreeningId: z.string(), alerts: z.number() }))
      .parse((body['monitors'] as object[]).map((each) => each));
    expect(monitors.find(({ screeningId }) => screeningId === screening.id)).toMatchObject({ alerts: 1 });
    const quiet = monitors.find(({ screeningId }) => screeningId === unaffected.screening.id);
    expect(quiet).toMatchObject({ alerts: 0, lastScreeningId: unaffected.screening.id });
    const alerted = monitors.find(({ screeningId }) => screeningId === screening.id)?.lastScreeningId ?? '';
    const refused = await call('DELETE', `/v1/aml/screenings/${alerted}`, options);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { code: 'screening_of_monitor', details: { recordId: screening.id } } },
    ]);
    const changes = await call('GET', '/v1/aml/lists/own/changes', options);
    expect(changes.body).toMatchObject({ version, total: 1, affected: 1, changes: [{ entryId: 'M2', kind: 'added' }] });
  });

  test('ends by DELETE', async () => {
    const { screening } = await screen({ fullName: 'Ended Soon', monitoring: true });
    const { monitors } = (await listMonitors(tenant.identityKey)) as {
      monitors: { id: string; screeningId: string }[];
    };
    const id = monitors.find(({ screeningId }) => screeningId === screening.id)?.id ?? '';
    expect((await call('DELETE', `/v1/aml/monitors/${id}`, { key: tenant.identityKey })).body).toEqual({
      ok: true,
      id,
      deleted: true,
    });
    expect((await call('GET', `/v1/aml/monitors/${id}`, { key: tenant.identityKey })).status).toBe(404);
  });
});

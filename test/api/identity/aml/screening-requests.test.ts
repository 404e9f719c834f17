import { DAY_MS } from '../../../../domain/durations';
import { call } from '../../../support/client';
import { parseScreening } from '../../../support/identity/screenings';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

afterAll(closeTestPlatform);

test.each(['々', 'ー', '—', '\u{1F600}'])('a name without a letter to search for is refused: %s', async (fullName) => {
  const { identityKey } = await createIdentityTenant('Names');
  const { status, body } = await call('POST', '/v1/aml/screen', { key: identityKey, json: { fullName } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { details: { fields: [{ field: 'fullName' }] } } });
});

test.each(['', '   '])('a blank name is refused with one problem: %j', async (fullName) => {
  const { identityKey } = await createIdentityTenant('Blank names');
  const { body } = await call('POST', '/v1/aml/screen', { key: identityKey, json: { fullName } });
  const fields = [{ field: 'fullName', problem: 'is required' }];
  expect(body).toMatchObject({ error: { code: 'invalid_request', details: { fields } } });
  expect((body['error'] as { details: { fields: object[] } }).details.fields).toHaveLength(1);
});

describe('a date of birth', () => {
  const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
  let key: string;
  beforeAll(async () => {
    const tenant = await createIdentityTenant('Births');
    await importOwnList(tenant.organisationId, [{ id: 'B1', type: 'person', name: 'Calliope Marchbanks' }]);
    key = tenant.identityKey;
  });
  const screen = (dateOfBirth: string) =>
    call('POST', '/v1/aml/screen', { key, json: { fullName: 'Jane Example', dateOfBirth } });

  test.each(['2999', '2999-01', '2999-01-01', day(3)])('in the future is refused: %s', async (dateOfBirth) => {
    const { status, body } = await screen(dateOfBirth);
    const fields = [{ field: 'dateOfBirth', problem: 'must not be in the future' }];
    expect([status, body]).toMatchObject([400, { error: { details: { fields } } }]);
  });

  test.each([day(0).slice(0, 4), day(0).slice(0, 7), day(0), '1980-01'])('is accepted: %s', async (dateOfBirth) => {
    expect((await screen(dateOfBirth)).status).toBe(200);
  });
});

test('reviews of two hits at the same time both count', async () => {
  const own = await createIdentityTenant('Reviewers');
  const name = 'Calliope Marchbanks';
  await importOwnList(own.organisationId, [
    { id: 'C1', type: 'person', name, countries: 'PA' },
    { id: 'C2', type: 'person', name: 'Kalliope Marchbank' },
  ]);
  const options = { key: own.identityKey };
  // What two requests see of each other depends on when they arrive.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const json = { fullName: name, entityType: 'person', documentNumber: `PX000${attempt}` };
    const { hits, screening } = parseScreening(await call('POST', '/v1/aml/screen', { ...options, json }));
    expect(hits).toHaveLength(2);
    const url = (id: string): string => `/v1/aml/hits/${id}/review`;
    const verdict = { ...options, json: { status: 'false_positive', reason: 'Another person.' } };
    const reviewed = await Promise.all(hits.map(({ id }) => call('POST', url(id), verdict)));
    expect(reviewed.map(({ status }) => status)).toEqual([200, 200]);
    const after = parseScreening(await call('GET', `/v1/aml/screenings/${screening.id}`, options));
    expect(after).toMatchObject({ match: false, score: 0 });
  }
});

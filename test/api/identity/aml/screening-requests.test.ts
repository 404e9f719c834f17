import { call } from '../../../support/client';
import { parseScreening } from '../../../support/identity/screenings';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createTenant } from '../../../support/tenant';

afterAll(closeTestPlatform);

test.each(['々', 'ー', '—', '\u{1F600}'])('a name without a letter to search for is refused: %s', async (fullName) => {
  const { identityKey } = await createTenant('Names');
  const { status, body } = await call('POST', '/v1/aml/screen', { key: identityKey, json: { fullName } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { details: { fields: [{ field: 'fullName' }] } } });
});

test('reviews of two hits at the same time both count', async () => {
  const own = await createTenant('Reviewers');
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

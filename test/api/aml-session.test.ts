import { createSession, getSession, postLiveness } from '../support/identity';
import { walkImage } from '../support/walk-records';
import { closeTestPlatform, createTenant } from '../support/tenant';
import { importOwnList } from '../support/watch-lists';

afterAll(closeTestPlatform);

const EXPECTED = { firstName: 'Ottilie', lastName: 'Vandersmissen', dateOfBirth: '1977-05-06' };

/** Opens a session that screens whom it expects, by its first upload. */
async function screened(key: string, expected: object) {
  const session = await createSession(key, { features: ['liveness', 'aml'], expected });
  await postLiveness(key, { sessionId: session.id, image: await walkImage() });
  for (;;) {
    const now = await getSession(key, session.id);
    const step = now.steps.find(({ feature }) => feature === 'aml');
    if (step !== undefined && step.checkIds.length > 0 && step.status !== 'processing') return { now, step };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a session screens the person it expects, and a match sends it to review', async () => {
  const own = await createTenant('Session screening');
  await importOwnList(own.organisationId, [
    { id: 'S1', type: 'person', name: 'Ottilie Vandersmissen', datesOfBirth: '1977-05-06' },
  ]);
  const { now, step } = await screened(own.identityKey, EXPECTED);
  expect(step.status).toBe('review');
  expect(now.results.aml).toMatchObject({ match: true, status: 'review', hits: [{ entryId: 'S1', list: 'own' }] });
  expect(now.risks.map(({ code }) => code)).toContain('aml_match');
});

test('a name on no list passes the step', async () => {
  const own = await createTenant('Session screening');
  await importOwnList(own.organisationId, [{ id: 'S1', type: 'person', name: 'Somebody Unrelated' }]);
  const { now, step } = await screened(own.identityKey, EXPECTED);
  expect(step.status).toBe('passed');
  expect(now.results.aml).toMatchObject({ match: false, hits: [] });
});

test('without a list the step is not run, which is never a pass', async () => {
  const own = await createTenant('Session without lists');
  const { now, step } = await screened(own.identityKey, EXPECTED);
  expect(step.status).toBe('not_run');
  expect(now.results.aml).toBeNull();
  expect(now.status).not.toBe('approved');
});

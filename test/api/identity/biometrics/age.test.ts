import { ageResultSchema } from '../../../../api/identity/biometrics/result-responses';
import { loadSelfie } from '../../../../scripts/demo/photos';
import { call } from '../../../support/client';
import type { RequestOptions } from '../../../support/client';
import {
  parseCheck,
  createSession,
  createFacelessImage,
  getSession,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let key: string;

beforeAll(async () => {
  key = (await createIdentityTenant('Ages')).identityKey;
});
afterAll(closeTestPlatform);

const post = (form: NonNullable<RequestOptions['form']>) => call('POST', '/v1/biometrics/age', { key, form });

const estimate = async (fields: Record<string, string> = {}) => {
  const check = parseCheck(await post({ image: { body: await loadSelfie('anna') }, ...fields }));
  return { check, result: ageResultSchema.parse(check.result) };
};

test('an age is estimated with its interval and the error of the model', async () => {
  const { check, result } = await estimate();
  expect(check).toMatchObject({ kind: 'age', feature: 'age', outcome: 'approved', risks: [] });
  expect(result.age).toBeGreaterThan(15);
  expect(result.age).toBeLessThan(45);
  expect(result.interval?.low).toBeLessThan(result.age ?? 0);
  expect(result.interval?.high).toBeGreaterThan(result.age ?? 0);
  expect(result.meanAbsoluteError).toBeGreaterThan(3);
  expect(result.errorByAge).toHaveLength(8);
  expect(result.models.map(({ role }) => role)).toContain('face_age');
});

test('a minimum age is met, not met or uncertain', async () => {
  expect((await estimate({ minimumAge: '6' })).result).toMatchObject({ meetsMinimumAge: 'yes', status: 'approved' });
  const unsure = await estimate({ minimumAge: '25' });
  expect(unsure.result).toMatchObject({ meetsMinimumAge: 'uncertain', minimumAge: 25 });
  expect(unsure.check).toMatchObject({
    outcome: 'review',
    risks: [{ code: 'minimum_age_not_met', action: 'review', feature: 'age', details: { answer: 'uncertain' } }],
  });
  const younger = await estimate({ minimumAge: '70' });
  expect(younger.check).toMatchObject({
    outcome: 'declined',
    risks: [{ code: 'minimum_age_not_met', action: 'decline', details: { answer: 'no', minimumAge: 70 } }],
  });
});

test('without a face there is no estimate', async () => {
  const check = parseCheck(await post({ image: { body: await createFacelessImage() }, minimumAge: '18' }));
  expect(check).toMatchObject({
    outcome: 'declined',
    risks: [{ code: 'no_face', feature: 'age' }],
    result: { age: null, interval: null, meetsMinimumAge: null },
  });
});

test.each(['0', '121', '17.5', 'adult', '0x15', '1.8e1', ' 18'])(
  'a minimum age of %s is rejected',
  async (minimumAge) => {
    const { status, body } = await post({ image: { body: await createFacelessImage() }, minimumAge });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field: 'minimumAge' }] } } });
  },
);

test('a session that verifies liveness and age estimates the age of the selfie automatically', async () => {
  const { id } = await createSession(key, { features: ['liveness', 'age'] });
  parseCheck(await postLiveness(key, { sessionId: id, image: { body: await loadSelfie('clara') } }));
  await waitForStatus(key, id, 'approved');
  const { results, steps } = await getSession(key, id);
  expect(results.age?.age).toBeGreaterThan(15);
  expect(steps.map(({ feature, status }) => [feature, status])).toEqual([
    ['liveness', 'passed'],
    ['age', 'passed'],
  ]);
});

test('a session that verifies only the age estimates it from an upload', async () => {
  const { id } = await createSession(key, { features: ['age'] });
  const { check } = await estimate({ sessionId: id, minimumAge: '70' });
  expect(check).toMatchObject({ sessionId: id, outcome: 'declined' });
  await waitForStatus(key, id, 'declined');
});

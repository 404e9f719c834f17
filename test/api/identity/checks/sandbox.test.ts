import { z } from 'zod';
import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import {
  parseCheck,
  createSession,
  createFacelessImage,
  getSession,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Sandbox');
  key = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
});
afterAll(closeTestPlatform);

const sandboxHeader = (value: string) => ({ headers: { 'x-sandbox-result': value } });

/** Any image: no engine examines it. */
async function runSession(options: object) {
  const { id: sessionId } = await createSession(key, options);
  await postDocument(key, { sessionId, frontImage: { body: await createFacelessImage() } });
  await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } });
  return waitForStatus(key, sessionId, 'approved', 'declined', 'in_review', 'in_progress');
}

const getErrorField = ({ body }: ApiResponse): unknown =>
  (body['error'] as { details?: { fields?: { field: string }[] } }).details?.fields?.[0]?.field;

describe('a session with a sandbox value', () => {
  test('is approved with any images and shows the expected person', async () => {
    const expected = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1990-12-10' };
    const { id } = await runSession({ metadata: { sandbox: 'approve' }, expected });
    const session = await waitForStatus(key, id, 'approved');
    expect(session).toMatchObject({
      status: 'approved',
      decision: { outcome: 'approved', decidedBy: 'rules', reasons: [] },
      results: {
        document: { firstName: 'Ada', lastName: 'Byron' },
        liveness: { score: 97 },
        faceMatch: { match: true },
      },
      steps: [{ status: 'passed' }, { status: 'passed' }, { status: 'passed' }],
    });
  });

  test('is approved with the frames of a challenge, too, of which no engine has chosen one', async () => {
    const { id: sessionId } = await createSession(key, { metadata: { sandbox: 'approve' } });
    const { body } = await call('POST', '/v1/biometrics/liveness/challenges', { key, json: {} });
    const { challengeId } = z.object({ challengeId: z.string() }).parse(body['challenge']);
    const frames = await Promise.all([1, 2, 3, 4].map(async () => ({ body: await createFacelessImage() })));
    await postDocument(key, { sessionId, frontImage: { body: await createFacelessImage() } });
    parseCheck(await postLiveness(key, { sessionId, challengeId, frames }));
    expect((await waitForStatus(key, sessionId, 'approved')).results.faceMatch).toMatchObject({ match: true });
  });

  test.each([
    ['document_expired', 'declined'],
    ['face_mismatch', 'declined'],
    ['liveness_low', 'in_review'],
  ] as const)('%s ends %s, with that reason', async (value, status) => {
    const { id } = await createSession(key, { metadata: { sandbox: value } });
    await postDocument(key, { sessionId: id, frontImage: { body: await createFacelessImage() } });
    await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } });
    const session = await waitForStatus(key, id, status);
    expect(session.decision?.reasons ?? session.risks.map(({ code }) => code)).toContain(value);
  });

  test('review ends in review with the default features, and so does an age estimate', async () => {
    const sessions = await Promise.all([
      runSession({ metadata: { sandbox: 'review' } }),
      runSession({ metadata: { sandbox: 'review' }, features: ['id', 'liveness', 'age'] }),
    ]);
    for (const { id } of sessions) {
      const session = await waitForStatus(key, id, 'approved', 'declined', 'in_review');
      expect([session.status, session.steps.map(({ status }) => status)]).toEqual([
        'in_review',
        ['review', 'review', 'review'],
      ]);
    }
  });

  test('that is unknown is rejected by its field; a live session may have any metadata', async () => {
    const rejected = await call('POST', '/v1/sessions', { key, json: { metadata: { sandbox: 'maybe' } } });
    expect([rejected.status, getErrorField(rejected)]).toEqual([400, 'metadata.sandbox']);
    const live = await createSession(tenant.identityKey, { metadata: { sandbox: 'approve' } });
    const check = parseCheck(
      await postLiveness(tenant.identityKey, { sessionId: live.id, image: { body: await createFacelessImage() } }),
    );
    expect(check.risks.map(({ code }) => code)).toContain('no_face');
  });
});

describe('a check with a sandbox value', () => {
  test('has the outcome of its header, standalone and in a session, whose value it overrides', async () => {
    const image = { body: await createFacelessImage() };
    expect(parseCheck(await postLiveness(key, { image }, sandboxHeader('approve')))).toMatchObject({
      outcome: 'approved',
    });
    expect(parseCheck(await postLiveness(key, { image }, sandboxHeader('attack_suspected')))).toMatchObject({
      outcome: 'declined',
      risks: [{ code: 'attack_suspected' }],
    });
    expect(parseCheck(await postDocument(key, { frontImage: image }, sandboxHeader('decline')))).toMatchObject({
      outcome: 'declined',
      risks: [{ code: 'document_expired' }],
    });
    const { id: sessionId } = await createSession(key, { metadata: { sandbox: 'approve' } });
    const check = parseCheck(
      await postDocument(key, { sessionId, frontImage: image }, sandboxHeader('document_expired')),
    );
    expect(check).toMatchObject({ outcome: 'declined' });
  });

  test('can simulate a failure of its engine', async () => {
    const check = parseCheck(
      await postLiveness(key, { image: { body: await createFacelessImage() } }, sandboxHeader('fail')),
    );
    expect(check).toMatchObject({ status: 'failed', risks: [{ code: 'processing_failed' }] });
  });

  test('is rejected with a live key, or if the value is unknown', async () => {
    const image = { body: await createFacelessImage() };
    const live = await postLiveness(tenant.identityKey, { image }, sandboxHeader('approve'));
    expect([live.status, getErrorField(live)]).toEqual([400, 'X-Sandbox-Result']);
    const unknown = await postLiveness(key, { image }, sandboxHeader('perhaps'));
    expect([unknown.status, getErrorField(unknown)]).toEqual([400, 'X-Sandbox-Result']);
  });

  test('is part of the request that an Idempotency-Key stands for', async () => {
    const image = { body: await createFacelessImage() };
    const send = (value?: string) => {
      const sandbox = value === undefined ? {} : { 'x-sandbox-result': value };
      return postLiveness(key, { image }, { headers: { 'idempotency-key': 'sandbox-value', ...sandbox } });
    };
    const first = parseCheck(await send('approve'));
    expect(parseCheck(await send('approve'))).toEqual(first);
    for (const other of [await send('decline'), await send()]) {
      expect([other.status, other.body]).toMatchObject([422, { error: { code: 'idempotency_key_reused' } }]);
    }
  });

  test('without one, the images of a test key are examined by the engine', async () => {
    const check = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
    expect(check.risks.map(({ code }) => code)).toContain('no_face');
  });
});

test('records of the two modes are separate', async () => {
  const { id } = await createSession(key, {});
  expect((await getSession(key, id)).id).toBe(id);
  const seen = await call('GET', `/v1/sessions/${id}`, { key: tenant.identityKey });
  expect(seen.status).toBe(404);
});

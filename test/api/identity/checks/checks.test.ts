import sharp from 'sharp';
import { Check as CheckModel } from '../../../../models/identity/checks/check';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { call } from '../../../support/client';
import { createAnimatedWebp, insertJpegSegment, JPEG_SEGMENT } from '../../../support/identity/crafted-files';
import {
  parseCheck,
  createSession,
  listEventTypes,
  createFacelessImage,
  getSession,
  postDocument,
  postFaceMatch,
  postLiveness,
  waitForCheck,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let other: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Checks');
  other = await createIdentityTenant('Other');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

/** The objects and records of an organisation: a rejected upload must leave none. */
async function countStored({
  organisationId,
}: IdentityTenant): Promise<{ checks: number; evidence: number; starts: number }> {
  await getTestPlatform();
  const [checks, evidence, starts] = await Promise.all([
    CheckModel.countDocuments({ organisationId }),
    Evidence.countDocuments({ organisationId }),
    Outbox.countDocuments({ organisationId, name: 'check' }),
  ]);
  return { checks, evidence, starts };
}

const toFile = (body: Buffer, name = 'upload.jpg', type = 'image/jpeg') => ({ body, name, type });

describe('a standalone check', () => {
  test('returns its result, is stored and emits its event', async () => {
    const image = await createFacelessImage();
    const check = parseCheck(await postLiveness(key, { image: toFile(image) }));
    expect(check).toMatchObject({
      kind: 'liveness',
      feature: 'liveness',
      sessionId: null,
      status: 'completed',
      outcome: 'declined',
      risks: [{ code: 'no_face', action: 'decline' }],
      result: { method: 'passive', status: 'declined', score: null },
      error: null,
      evidence: [{ field: 'image' }],
    });
    expect(parseCheck(await call('GET', `/v1/checks/${check.id}`, { key }), 200)).toEqual(check);
    expect(await listEventTypes(check.id)).toEqual(['check.completed']);
  });

  test('stores its image encrypted under its own key', async () => {
    const image = await createFacelessImage();
    const check = parseCheck(await postLiveness(key, { image: toFile(image) }));
    const record = await Evidence.findOne({ checkId: check.id }).lean();
    expect(record).toMatchObject({ recordId: check.id, contentType: 'image/jpeg', bytes: image.length });
    const platform = await getTestPlatform();
    const stored = await platform.objects.get(record?.objectKey ?? '');
    expect(stored?.length).toBeGreaterThan(image.length);
    expect(stored?.includes(image.subarray(0, 64))).toBe(false);
  });

  test('compares two images and reports which of them has no face', async () => {
    const form = { userImage: toFile(await createFacelessImage()), refImage: toFile(await createFacelessImage()) };
    const check = parseCheck(await postFaceMatch(key, form));
    expect(check.risks.map(({ code }) => code).sort()).toEqual(['no_face_in_ref_image', 'no_face_in_user_image']);
    expect(check.result).toMatchObject({ match: false, score: null });
  });

  test('is answered 202 if the client does not wait, with its location', async () => {
    const form = { image: toFile(await createFacelessImage()) };
    for (const [options, query] of [
      [{}, '?wait=0'],
      [{ headers: { prefer: 'respond-async' } }, ''],
      [{ headers: { prefer: 'wait=0' } }, ''],
    ] as const) {
      const response = await postLiveness(key, form, options, query);
      const { id } = parseCheck(response, 202);
      expect(response.headers.get('location')).toBe(`/v1/checks/${id}`);
      const later = await waitForCheck(key, id);
      expect(later).toMatchObject({ id, status: 'completed' });
    }
  });

  test.each(['-1', '61', 'long', '', '1.5'])('rejects a wait of %j seconds', async (wait) => {
    const { status, body } = await postLiveness(
      key,
      { image: toFile(await createFacelessImage()) },
      {},
      `?wait=${wait}`,
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field: 'wait' }] } } });
  });
});

describe('an upload', () => {
  const noise = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } });

  const bad: [string, () => Promise<Buffer>, number, string][] = [
    ['a text file named .jpg', () => Promise.resolve(Buffer.from('no picture')), 415, 'unsupported_media_type'],
    ['a truncated PDF', () => Promise.resolve(Buffer.from('%PDF-1.7\n1 0 obj')), 400, 'file_truncated'],
    [
      'an SVG',
      () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      415,
      'unsupported_media_type',
    ],
    ['a GIF', () => noise(8, 8).gif().toBuffer(), 415, 'unsupported_media_type'],
    ['an empty file', () => Promise.resolve(Buffer.alloc(0)), 400, 'empty_file'],
    ['a truncated JPEG', async () => (await createFacelessImage()).subarray(0, -100), 400, 'image_truncated'],
    ['a truncated PNG', async () => (await noise(64, 64).png().toBuffer()).subarray(0, 60), 400, 'image_truncated'],
    ['a truncated WebP', async () => (await noise(64, 64).webp().toBuffer()).subarray(0, 30), 400, 'image_truncated'],
    ['an animated WebP', createAnimatedWebp, 400, 'image_animated'],
    [
      'a JPEG that contains a PDF',
      async () => insertJpegSegment(await createFacelessImage(), JPEG_SEGMENT.comment, '%PDF-1.7 of another person'),
      400,
      'image_contains_other_data',
    ],
    [
      'a JPEG with data behind its end',
      async () => Buffer.concat([await createFacelessImage(), Buffer.from('PK\x03\x04')]),
      400,
      'image_contains_other_data',
    ],
    ['a 60-megapixel PNG', () => noise(10_000, 6_000).png().toBuffer(), 413, 'image_too_large'],
    ['a file over 15 MB', () => Promise.resolve(Buffer.alloc(15 * 1024 * 1024 + 1, 0xff)), 413, 'file_too_large'],
  ];

  test.each(bad)(
    'that is %s is refused by its field, and nothing of it is stored',
    async (_what, make, status, code) => {
      const fresh = await createIdentityTenant('Uploads');
      const { id: sessionId } = await createSession(fresh.identityKey);
      const frontImage = toFile(await make());
      const response = await postDocument(fresh.identityKey, { sessionId, frontImage });
      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({
        ok: false,
        error: { code, details: { fields: [{ field: 'frontImage' }] } },
      });
      expect(await countStored(fresh)).toEqual({ checks: 0, evidence: 0, starts: 0 });
      expect(await getSession(fresh.identityKey, sessionId)).toMatchObject({ status: 'not_started', evidence: [] });
    },
  );

  test('is rejected by its field also next to a valid file', async () => {
    const fresh = await createIdentityTenant('Uploads');
    const good = toFile(await createFacelessImage());
    const response = await postDocument(fresh.identityKey, {
      frontImage: good,
      backImage: toFile(Buffer.from('text')),
    });
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ error: { details: { fields: [{ field: 'backImage' }] } } });
    expect(await countStored(fresh)).toEqual({ checks: 0, evidence: 0, starts: 0 });
  });

  test('of an accepted kind is accepted under any name', async () => {
    for (const body of [await noise(64, 64).png().toBuffer(), await noise(64, 64).webp().toBuffer()]) {
      parseCheck(await postLiveness(key, { image: toFile(body, 'notes.txt', 'text/plain') }));
    }
  });

  test.each<[string, string, string, Record<string, string>]>([
    ['documents/id-verification', 'frontImage', 'missing', {}],
    ['biometrics/liveness', 'image', 'missing', {}],
    ['biometrics/face-match', 'userImage', 'missing', {}],
    ['documents/id-verification', 'frontImage', 'sent as text', { frontImage: 'text' }],
  ])('to /v1/%s whose %s is %s is refused by that name', async (path, field, _how, form) => {
    const { status, body } = await call('POST', `/v1/${path}`, { key, form: { ...form, sessionId: 'ses_unknown' } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });

  test('to a comparison without a session needs both images', async () => {
    const { status, body } = await postFaceMatch(key, { userImage: toFile(await createFacelessImage()) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field: 'refImage' }] } } });
  });

  test('in an unknown field is rejected, and so is an unknown text field', async () => {
    const image = toFile(await createFacelessImage());
    expect((await postLiveness(key, { image, selfie: image })).status).toBe(400);
    expect((await postLiveness(key, { image, session: 'x' })).status).toBe(400);
  });

  test('that is not a multipart body is rejected', async () => {
    const { status } = await call('POST', '/v1/biometrics/liveness', { key, json: { image: 'base64' } });
    expect(status).toBe(415);
  });
});

describe('a check of a session', () => {
  test('starts it, counts an attempt and leaves the step in retry', async () => {
    const { id: sessionId } = await createSession(key);
    const check = parseCheck(await postLiveness(key, { sessionId, image: toFile(await createFacelessImage()) }));
    const session = await getSession(key, sessionId);
    expect(session).toMatchObject({
      status: 'in_progress',
      steps: [
        { feature: 'id', status: 'not_run' },
        { feature: 'liveness', status: 'retry', attempts: 1, attemptsLeft: 2, checkIds: [check.id] },
        { feature: 'face_match', status: 'not_run' },
      ],
      results: { liveness: { checkId: check.id, status: 'declined' } },
      risks: [{ code: 'no_face' }],
      evidence: [{ checkId: check.id, field: 'image' }],
    });
    expect(await listEventTypes(sessionId)).toEqual(['session.created', 'session.started', 'check.completed']);
  });

  test('is rejected if its session is unknown, of another organisation or of another mode', async () => {
    const { id: foreign } = await createSession(other.identityKey);
    const sandbox = await tenant.createIdentityKey(['sessions:write'], { mode: 'test' });
    const { id: testSession } = await createSession(sandbox);
    const image = toFile(await createFacelessImage());
    const before = await countStored(tenant);
    for (const sessionId of [foreign, testSession, `ses_${'0'.repeat(26)}`, 'nonsense']) {
      const { status, body } = await postLiveness(key, { sessionId, image });
      expect(status).toBe(404);
      expect(body).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    expect(await countStored(tenant)).toEqual(before);
    expect((await getSession(other.identityKey, foreign)).status).toBe('not_started');
  });

  test('is rejected if the session does not verify its feature', async () => {
    const { id: sessionId } = await createSession(key, { features: ['id'] });
    const { status, body } = await postLiveness(key, { sessionId, image: toFile(await createFacelessImage()) });
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'feature_not_requested', details: { features: ['id'] } } });
  });

  test('is compared with the portrait of the document, and names the missing file until there is one', async () => {
    const { id: sessionId } = await createSession(key);
    const { status, body } = await postFaceMatch(key, { sessionId, userImage: toFile(await createFacelessImage()) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field: 'refImage' }] } } });
  });

  test('sends the session to review when no attempts are left, and a fourth is rejected', async () => {
    const { id: sessionId } = await createSession(key, { features: ['id', 'liveness'] });
    const attempts = [];
    for (let i = 0; i < 4; i += 1) {
      attempts.push(await postLiveness(key, { sessionId, image: toFile(await createFacelessImage()) }));
    }
    expect(attempts.map(({ status }) => status)).toEqual([201, 201, 201, 409]);
    const session = await waitForStatus(key, sessionId, 'in_review');
    expect(session.decision).toMatchObject({
      outcome: 'in_review',
      decidedBy: 'rules',
      reasons: ['attempts_exhausted', 'no_face'],
    });
    expect(session.risks.map(({ code }) => code)).toEqual(['no_face', 'attempts_exhausted']);
  });

  test('never exceeds the attempts under concurrency', async () => {
    const { id: sessionId } = await createSession(key, { features: ['liveness'] });
    const images = await Promise.all(Array.from({ length: 6 }, () => createFacelessImage()));
    const responses = await Promise.all(images.map((body) => postLiveness(key, { sessionId, image: toFile(body) })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(3);
    const session = await waitForStatus(key, sessionId, 'in_review');
    expect(session.steps[0]).toMatchObject({ attempts: 3, attemptsLeft: 0 });
    expect(session.evidence).toHaveLength(3);
  });
});

describe('an idempotency key', () => {
  const headers = (name: string) => ({ headers: { 'idempotency-key': name } });

  test('creates one check for a repeated multipart upload', async () => {
    const { id: sessionId } = await createSession(key, { features: ['liveness'] });
    const image = toFile(await createFacelessImage());
    const first = parseCheck(await postLiveness(key, { sessionId, image }, headers('upload-1')));
    // A retried body has another boundary and may have another file name, but the same bytes.
    const again = parseCheck(
      await postLiveness(key, { sessionId, image: { ...image, name: 'b.jpg' } }, headers('upload-1')),
    );
    expect(again).toEqual(first);
    expect((await getSession(key, sessionId)).steps[0]).toMatchObject({ attempts: 1 });
    const changed = await postLiveness(
      key,
      { sessionId, image: toFile(await createFacelessImage()) },
      headers('upload-1'),
    );
    expect(changed.status).toBe(422);
    expect(changed.body).toMatchObject({ error: { code: 'idempotency_key_reused' } });
  });

  test('makes a concurrent duplicate wait for the first and gets the same response', async () => {
    const image = toFile(await createFacelessImage());
    const [one, two] = await Promise.all([
      postLiveness(key, { image }, headers('twin')),
      postLiveness(key, { image }, headers('twin')),
    ]);
    expect(parseCheck(one)).toEqual(parseCheck(two));
  });

  test('is released by a rejected request', async () => {
    const rejected = await postLiveness(key, { image: toFile(Buffer.from('text')) }, headers('refused'));
    expect(rejected.status).toBe(415);
    parseCheck(await postLiveness(key, { image: toFile(await createFacelessImage()) }, headers('refused')));
  });
});

describe('access to a check', () => {
  test('is denied to other organisations', async () => {
    const check = parseCheck(await postLiveness(key, { image: toFile(await createFacelessImage()) }));
    const foreign = await call('GET', `/v1/checks/${check.id}`, { key: other.identityKey });
    expect(foreign.status).toBe(404);
    expect((await call('GET', '/v1/checks/chk_1', { key })).status).toBe(404);
  });

  test.each([
    ['POST', '/v1/documents/id-verification', 'documents:write'],
    ['POST', '/v1/biometrics/liveness', 'biometrics:write'],
    ['POST', '/v1/biometrics/face-match', 'biometrics:write'],
    ['GET', `/v1/checks/chk_${'0'.repeat(26)}`, 'checks:read'],
  ])('needs for %s %s a key, and the permission %s', async (method, path, permission) => {
    expect((await call(method, path)).status).toBe(401);
    const denied = await call(method, path, { key: await tenant.createIdentityKey(['sessions:read']) });
    expect(denied.status).toBe(403);
    expect(denied.body).toMatchObject({ error: { details: { permission } } });
  });
});

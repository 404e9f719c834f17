import sharp from 'sharp';
import { z } from 'zod';
import { erasureSchema } from '../../../../api/identity/erasure/erasures';
import { faceSchema } from '../../../../api/identity/biometrics/face-responses';
import { faceSearchResultSchema } from '../../../../api/identity/biometrics/result-responses';
import { Face } from '../../../../models/identity/biometrics/face';
import { loadPortrait, loadSelfie } from '../../../../scripts/demo/photos';
import type { Person } from '../../../../scripts/demo/photos';
import { call } from '../../../support/client';
import type { ApiResponse, RequestOptions } from '../../../support/client';
import {
  parseCheck,
  createSession,
  postDecision,
  createFacelessImage,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

afterAll(closeTestPlatform);

const INDEX_PATH = '/v1/biometrics/face-search/index';
type Face = z.infer<typeof faceSchema>;
type Form = NonNullable<RequestOptions['form']>;

const parseFace = (response: ApiResponse, status = 201): Face => {
  expect(response).toMatchObject({ status });
  return z.object({ face: z.strictObject(faceSchema.shape) }).parse({ face: response.body['face'] }).face;
};

const buildPortraitForm = async (person: Person): Promise<Form> => ({ image: { body: await loadPortrait(person) } });

const indexFace = async (
  key: string,
  person: Person,
  fields: Record<string, string> = {},
  options = {},
): Promise<Face> =>
  parseFace(
    await call('POST', INDEX_PATH, { key, form: { ...(await buildPortraitForm(person)), ...fields }, ...options }),
  );

const searchFaces = async (key: string, person: Person, fields: Record<string, string> = {}) => {
  const form = { image: { body: await loadSelfie(person) }, ...fields };
  const check = parseCheck(await call('POST', '/v1/biometrics/face-search', { key, form }));
  return { check, result: faceSearchResultSchema.parse(check.result) };
};

const removeFace = async (key: string, id: string): Promise<ApiResponse> =>
  call('DELETE', `${INDEX_PATH}/${id}`, { key });

describe('the face index', () => {
  let tenant: IdentityTenant;
  let key: string;
  beforeEach(async () => {
    tenant = await createIdentityTenant('Faces');
    key = tenant.identityKey;
  });

  test('finds a person on another image and reports the reliability of the match', async () => {
    const metadata = { branch: 'Zenith', visits: 3 };
    const fields = { name: 'Anna', externalId: 'customer-1', metadata: JSON.stringify(metadata) };
    const anna = await indexFace(key, 'anna', fields);
    expect(anna).toMatchObject({ status: 'indexed', list: 'users', name: 'Anna', metadata, risks: [], error: null });
    await indexFace(key, 'clara', { list: 'blocklist' });
    const { check, result } = await searchFaces(key, 'anna');
    expect(check).toMatchObject({ kind: 'face_search', feature: null, status: 'completed', outcome: 'approved' });
    expect(result.matches).toEqual([
      {
        id: anna.id,
        name: 'Anna',
        externalId: 'customer-1',
        sessionId: null,
        list: 'users',
        similarity: expect.any(Number) as number,
      },
    ]);
    expect(result.matches[0]?.similarity).toBeGreaterThan(0.6);
    expect(result).toMatchObject({ gallerySize: 2, threshold: 0.5, topK: 10, lists: ['users', 'blocklist'] });
    expect(result.expectedFalseHits).toBeLessThan(0.001);
    expect(result.models.map(({ role }) => role)).toContain('face_embedding');
  });

  test('applies the requested lists, threshold and number of matches', async () => {
    await indexFace(key, 'anna');
    await indexFace(key, 'anna', { list: 'blocklist', name: 'Stopped' });
    expect((await searchFaces(key, 'anna')).result.matches).toHaveLength(2);
    const blocked = await searchFaces(key, 'anna', { lists: 'blocklist' });
    expect(blocked.result).toMatchObject({ gallerySize: 1, matches: [{ name: 'Stopped', list: 'blocklist' }] });
    expect((await searchFaces(key, 'anna', { topK: '1' })).result.matches).toHaveLength(1);
    const strict = await searchFaces(key, 'anna', { threshold: '0.999' });
    expect(strict.result).toMatchObject({ threshold: 0.999, matches: [] });
  });

  test.each([
    ['topK', '0'],
    ['topK', '101'],
    ['topK', '0x5'],
    ['topK', '1e1'],
    ['threshold', '0.3'],
    ['threshold', 'high'],
    ['threshold', '0x1'],
    ['threshold', '9e-1'],
    ['lists', 'friends'],
    ['limit', '5'],
  ])('refuses a search with %s %s', async (field, value) => {
    const form = { image: { body: await createFacelessImage() }, [field]: value };
    const { status, body } = await call('POST', '/v1/biometrics/face-search', { key, form });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field }] } } });
  });

  test.each([
    ['list', 'friends'],
    ['metadata', 'no json'],
    ['metadata', '[1]'],
    ['metadata', JSON.stringify({ a: 'x'.repeat(5000) })],
    ['metadata', JSON.stringify({ a: 'é'.repeat(2500) })],
    ['name', ''],
  ])('refuses a face whose %s is %.10s', async (field, value) => {
    const form = { image: { body: await createFacelessImage() }, [field]: value };
    const { status, body } = await call('POST', INDEX_PATH, { key, form });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field }] } } });
    expect(await Face.countDocuments({ organisationId: tenant.organisationId })).toBe(0);
  });

  test.each([
    ['{"_bsontype":"ObjectId"}', 'metadata._bsontype'],
    ['{"a":{"b\\u0000":1}}', 'metadata.a'],
    ['{"a":"b\\u0000"}', 'metadata.a'],
    ['{"a":1e999}', 'metadata.a'],
  ])('refuses metadata that cannot be stored as it was sent, such as %s, naming %s', async (metadata, field) => {
    const form = { image: { body: await createFacelessImage() }, metadata };
    const { status, body } = await call('POST', INDEX_PATH, { key, form });
    expect([status, body]).toMatchObject([400, { error: { details: { fields: [{ field }] } } }]);
  });

  test('rejects an image without exactly one clear face, with the reason', async () => {
    const faceless = parseFace(
      await call('POST', INDEX_PATH, { key, form: { image: { body: await createFacelessImage() } } }),
    );
    expect(faceless).toMatchObject({ status: 'rejected', risks: [{ code: 'no_face' }], indexedAt: null });
    const size = { width: 400, height: 500, fit: 'cover' } as const;
    const [anna, maria] = await Promise.all([loadPortrait('anna'), loadPortrait('maria')]);
    const two = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#999' } })
      .composite([
        { input: await sharp(anna).resize(size).toBuffer(), left: 0, top: 0 },
        { input: await sharp(maria).resize(size).toBuffer(), left: 400, top: 0 },
      ])
      .jpeg()
      .toBuffer();
    const couple = parseFace(await call('POST', INDEX_PATH, { key, form: { image: { body: two } } }));
    expect(couple).toMatchObject({ status: 'rejected', risks: [{ code: 'multiple_faces' }] });
    expect((await searchFaces(key, 'anna')).result).toMatchObject({ gallerySize: 0, matches: [] });
  });

  test('completes a search with a faceless image', async () => {
    await indexFace(key, 'anna');
    const form = { image: { body: await createFacelessImage() } };
    const check = parseCheck(await call('POST', '/v1/biometrics/face-search', { key, form }));
    expect(check).toMatchObject({ outcome: 'declined', risks: [{ code: 'no_face' }], result: { matches: [] } });
  });

  test('responds 202 if the client does not wait, with the location', async () => {
    const response = await call('POST', `${INDEX_PATH}?wait=0`, { key, form: await buildPortraitForm('clara') });
    const { id } = parseFace(response, 202);
    expect(response.headers.get('location')).toBe(`${INDEX_PATH}/${id}`);
    expect(parseFace(await call('GET', `${INDEX_PATH}/${id}?wait=60`, { key }), 200)).toMatchObject({
      id,
      status: 'indexed',
    });
  });

  test('creates one face for a repeated request', async () => {
    const headers = { 'Idempotency-Key': 'face-1' };
    const first = await indexFace(key, 'anna', { name: 'Anna' }, { headers });
    expect(await indexFace(key, 'anna', { name: 'Anna' }, { headers })).toEqual(first);
    const other = await call('POST', INDEX_PATH, {
      key,
      form: { ...(await buildPortraitForm('anna')), name: 'Other' },
      headers,
    });
    expect(other.status).toBe(422);
  });

  test('lists faces newest first, by list and external id, page by page', async () => {
    const anna = await indexFace(key, 'anna', { externalId: 'a' });
    const clara = await indexFace(key, 'clara', { list: 'blocklist', externalId: 'c' });
    const page = async (query: string) => {
      const { body } = await call('GET', `${INDEX_PATH}${query}`, { key });
      return { ids: (body['faces'] as Face[]).map(({ id }) => id), total: body['total'], next: body['nextCursor'] };
    };
    expect(await page('')).toEqual({ ids: [clara.id, anna.id], total: 2, next: null });
    expect(await page('?list=blocklist')).toEqual({ ids: [clara.id], total: 1, next: null });
    expect(await page('?externalId=a')).toEqual({ ids: [anna.id], total: 1, next: null });
    expect(await page('?externalId=%20a%20')).toMatchObject({ ids: [anna.id] });
    expect(await page('?status=rejected')).toEqual({ ids: [], total: 0, next: null });
    const first = await page('?limit=1');
    expect(first).toEqual({ ids: [clara.id], total: 2, next: clara.id });
    expect(await page(`?limit=1&cursor=${clara.id}`)).toMatchObject({ ids: [anna.id] });
  });

  test('stores embeddings only in sealed form', async () => {
    const { id } = await indexFace(key, 'anna');
    const record = await Face.findById(id);
    const sealed = Buffer.from(record?.get('embedding') as Buffer);
    // 12 bytes of nonce, 512 floats, 16 bytes of tag.
    expect(sealed.length).toBe(12 + 512 * 4 + 16);
    const floats = Array.from({ length: 512 }, (_, at) => sealed.readFloatLE(12 + 4 * at));
    // A plaintext embedding would have unit length.
    expect(Math.abs(Math.hypot(...floats) - 1) < 0.01).toBe(false);
  });

  test('erases a face: no later search finds it, and earlier ones no longer name it', async () => {
    const anna = await indexFace(key, 'anna', { name: 'Anna Forgotten', externalId: 'forget-me' });
    const { check } = await searchFaces(key, 'anna');
    const response = await removeFace(key, anna.id);
    expect(response.status).toBe(200);
    const receipt = erasureSchema.parse(response.body['erasure']);
    expect(receipt).toMatchObject({ kind: 'face', recordId: anna.id, status: 'completed', dataKeysDestroyed: 1 });
    expect(receipt.evidence).toHaveLength(1);
    expect((await removeFace(key, anna.id)).status).toBe(404);
    expect((await call('GET', `${INDEX_PATH}/${anna.id}`, { key })).status).toBe(404);
    expect((await searchFaces(key, 'anna')).result).toMatchObject({ gallerySize: 0, matches: [] });
    const earlier = parseCheck(await call('GET', `/v1/checks/${check.id}`, { key }), 200);
    expect(earlier.result).toMatchObject({ matches: [] });
    const left = JSON.stringify(await Face.find({ organisationId: tenant.organisationId }).lean());
    expect(left).not.toContain('Forgotten');
    expect(left).not.toContain('forget-me');
  });

  test('separates organisations and modes', async () => {
    await indexFace(key, 'anna');
    const test = await tenant.createIdentityKey(['faces:read', 'faces:write', 'checks:read'], { mode: 'test' });
    const stranger = await createIdentityTenant('Stranger');
    expect((await searchFaces(test, 'anna')).result).toMatchObject({ gallerySize: 0, matches: [] });
    expect((await searchFaces(stranger.identityKey, 'anna')).result).toMatchObject({ gallerySize: 0, matches: [] });
  });
});

describe('a session', () => {
  const liveness = async (key: string, person: Person, session: object = {}) => {
    const { id } = await createSession(key, { features: ['liveness'], ...session });
    const check = parseCheck(await postLiveness(key, { sessionId: id, image: { body: await loadSelfie(person) } }));
    return { id, codes: check.risks.map(({ code }) => code), check };
  };

  test('with the face of another approved session goes to review', async () => {
    const { identityKey: key } = await createIdentityTenant('Duplicates');
    const first = await liveness(key, 'anna', { externalId: 'one' });
    expect(first.codes).toEqual([]);
    await waitForStatus(key, first.id, 'approved');
    const second = await liveness(key, 'anna', { externalId: 'two' });
    expect(second.check.risks).toMatchObject([
      { code: 'duplicate_face', action: 'review', details: { sessionId: first.id, gallerySize: 1, threshold: 0.5 } },
      // The selfie is the very picture that was sent before.
      { code: 'same_capture', action: 'review', details: { sessionId: first.id } },
    ]);
    await waitForStatus(key, second.id, 'in_review');
    expect((await liveness(key, 'clara', { externalId: 'three' })).codes).toEqual([]);
    const found = (await searchFaces(key, 'anna')).result;
    expect(found.matches).toMatchObject([{ sessionId: first.id, externalId: 'one', list: 'users' }]);
  });

  test('with the same externalId is not a duplicate; the same picture is recorded without effect', async () => {
    const { identityKey: key } = await createIdentityTenant('Same person');
    const first = await liveness(key, 'anna', { externalId: 'one' });
    await waitForStatus(key, first.id, 'approved');
    const again = await liveness(key, 'anna', { externalId: 'one' });
    expect(again.check.risks).toMatchObject([
      { code: 'same_capture', action: 'ignore', details: { sessionId: first.id } },
    ]);
    await waitForStatus(key, again.id, 'approved');
  });

  test('with a face of the blocklist goes to review and is not declined automatically', async () => {
    const { identityKey: key } = await createIdentityTenant('Blocklist');
    const { id: faceId } = await indexFace(key, 'maria', { list: 'blocklist', externalId: 'one' });
    const { id, check } = await liveness(key, 'maria', { externalId: 'one' });
    expect(check.risks).toMatchObject([
      { code: 'face_in_blocklist', action: 'review', details: { faceId } },
      { code: 'same_capture', details: { faceId } },
    ]);
    await waitForStatus(key, id, 'in_review');
  });

  test.each([
    ['face-match', 'face_match', 'userImage'],
    ['age', 'age', 'image'],
  ])('without a liveness check compares the selfie of its %s with the faces, too', async (path, feature, field) => {
    const { identityKey: key } = await createIdentityTenant(`Known in ${path}`);
    const { id: faceId } = await indexFace(key, 'maria', { list: 'blocklist' });
    const { id } = await createSession(key, { features: [feature] });
    const reference = path === 'age' ? {} : { refImage: { body: await loadPortrait('maria') } };
    const form = { sessionId: id, [field]: { body: await loadSelfie('maria') }, ...reference };
    const check = parseCheck(await call('POST', `/v1/biometrics/${path}`, { key, form }));
    expect(check.risks).toContainEqual(
      expect.objectContaining({
        code: 'face_in_blocklist',
        action: 'review',
        details: expect.objectContaining({ faceId }) as unknown,
      }),
    );
    await waitForStatus(key, id, 'in_review');
  });

  test('withdraws its selfie when its approval is reversed or it is erased', async () => {
    const { identityKey: key } = await createIdentityTenant('Taken back');
    const first = await liveness(key, 'anna');
    await waitForStatus(key, first.id, 'approved');
    const size = async () => (await searchFaces(key, 'anna')).result.gallerySize;
    expect(await size()).toBe(1);
    const override = { override: true, reason: 'Looked again.' };
    expect((await postDecision(key, first.id, { decision: 'decline', ...override })).status).toBe(200);
    expect(await size()).toBe(0);
    expect((await postDecision(key, first.id, { decision: 'approve', ...override })).status).toBe(200);
    expect(await size()).toBe(1);
    expect((await call('DELETE', `/v1/sessions/${first.id}`, { key })).status).toBe(200);
    expect(await size()).toBe(0);
    expect(await Face.countDocuments({ sessionId: first.id, deletedAt: null })).toBe(0);
  });

  test('keeps its selfie, whose deletion names the session, until that session is deleted', async () => {
    const { identityKey: key } = await createIdentityTenant('Part of a session');
    const { id: sessionId } = await liveness(key, 'anna');
    await waitForStatus(key, sessionId, 'approved');
    const [face] = (await call('GET', INDEX_PATH, { key })).body['faces'] as Face[];
    const refused = await removeFace(key, face?.id ?? '');
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        error: {
          code: 'face_of_session',
          message: `The face is part of ${sessionId}; delete that session.`,
          details: { sessionId },
        },
      },
    ]);
    expect((await searchFaces(key, 'anna')).result.matches).toMatchObject([{ id: face?.id, sessionId }]);
    expect((await call('GET', '/v1/erasures', { key })).body).toMatchObject({ total: 0 });

    expect((await call('DELETE', `/v1/sessions/${sessionId}`, { key })).status).toBe(200);
    expect((await removeFace(key, face?.id ?? '')).status).toBe(404);
    expect((await searchFaces(key, 'anna')).result.matches).toEqual([]);
  });
});

import { getEmbeddingWeights } from '../../../../activities/vision/manifest';
import { newId } from '../../../../lib/ids';
import { Face } from '../../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../../models/identity/biometrics/face-gallery';
import { FacePack } from '../../../../models/identity/biometrics/face-pack';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { loadSelfie } from '../../../../scripts/demo/photos';
import { readGalleryChanges, sealEmbedding } from '../../../../services/identity/biometrics/face-gallery';
import type { FaceChange } from '../../../../services/identity/biometrics/face-gallery';
import { listFacePacks, readFacePack, writeFacePack } from '../../../../services/identity/biometrics/face-packs';
import { createDataKeys } from '../../../../services/platform/evidence/data-keys';
import type { Scope } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import {
  createSession,
  parseCheck,
  postDecision,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const INDEX_PATH = '/v1/biometrics/face-search/index';
const STRANGERS = 600;
const MODEL = getEmbeddingWeights();

const buildUnitVector = (seed: number): number[] =>
  Array.from({ length: 512 }, (_, at) => (at === seed % 512 ? Math.sqrt(0.99) : Math.sqrt(0.01 / 511)));

const toTenant = ({ organisationId, mode }: Scope) => ({ organisationId, mode });

/** Adds faces as their indexing stores them. */
async function addStrangers(scope: Scope, firstRevision: number): Promise<void> {
  const platform = await getTestPlatform();
  const ids = Array.from({ length: STRANGERS }, () => newId('fac'));
  await createDataKeys(platform, scope, ids, null);
  const rows = await Promise.all(
    ids.map(async (_id, index) => ({
      ...{ _id, ...toTenant(scope), recordId: _id, source: 'index', list: 'users', status: 'indexed' },
      embedding: await sealEmbedding(platform, scope, _id, buildUnitVector(index)),
      ...{ model: MODEL, revision: firstRevision + index, createdBy: 'test', createdAt: platform.clock.now() },
    })),
  );
  await Face.insertMany(rows);
  const { organisationId, mode } = scope;
  await FaceGallery.updateOne({ _id: `${organisationId}.${mode}` }, { $inc: { revision: STRANGERS } });
}

async function readAll(scope: Scope): Promise<FaceChange[]> {
  const faces: FaceChange[] = [];
  for await (const batch of readGalleryChanges(await getTestPlatform(), scope, MODEL, 0)) faces.push(...batch);
  return faces.sort((a, b) => (a.faceId < b.faceId ? -1 : 1));
}

const toContent = ({ faceId, list, externalId, sessionId, embedding }: FaceChange) => ({
  ...{ faceId, list, externalId, sessionId },
  embedding: Buffer.from(Float32Array.from(embedding ?? []).buffer).toString('base64'),
});

async function searchAnna(key: string): Promise<string[]> {
  const form = { image: { body: await loadSelfie('anna') } };
  const check = parseCheck(await call('POST', '/v1/biometrics/face-search', { key, form }));
  return (check.result as { matches: { id: string }[] }).matches.map(({ id }) => id);
}

async function indexAnna(key: string): Promise<string> {
  const form = { image: { body: await loadSelfie('anna') }, externalId: 'customer-1' };
  const response = await call('POST', INDEX_PATH, { key, form });
  expect(response.status).toBe(201);
  return (response.body['face'] as { id: string }).id;
}

describe('a gallery of many faces', () => {
  test('is packed by the first search, and the packs have the same faces as the records', async () => {
    const { organisationId, identityKey: key } = await createTenant('Packed faces');
    const scope: Scope = { organisationId, mode: 'live' };
    const anna = await indexAnna(key);
    await addStrangers(scope, 2);
    expect(await searchAnna(key)).toEqual([anna]);
    const packs = await FacePack.find({ organisationId }).lean();
    expect(packs).toMatchObject([{ after: 0, upTo: STRANGERS + 1, model: MODEL }]);
    const [pack] = packs;
    expect(pack?.faceIds).toHaveLength(STRANGERS + 1);

    const packed = (await readAll(scope)).map(toContent);
    expect(packed.find(({ faceId }) => faceId === anna)).toMatchObject({ externalId: 'customer-1', list: 'users' });
    await FacePack.deleteMany({ organisationId });
    expect((await readAll(scope)).map(toContent)).toEqual(packed);
    expect(await FacePack.countDocuments({ organisationId })).toBe(1);
  });

  test('has no pack with a face that was erased, and the key of that pack is destroyed', async () => {
    const { organisationId, identityKey: key } = await createTenant('Erased faces');
    const scope: Scope = { organisationId, mode: 'live' };
    const anna = await indexAnna(key);
    await addStrangers(scope, 2);
    await searchAnna(key);
    const [pack] = await listFacePacks(scope, MODEL);
    if (pack === undefined) throw new Error('The faces were not packed.');
    expect((await call('DELETE', `${INDEX_PATH}/${anna}`, { key })).status).toBe(200);
    expect(await searchAnna(key)).toEqual([]);
    expect(await FacePack.exists({ organisationId, faceIds: anna })).toBeNull();
    expect(await DataKey.exists({ _id: pack._id, material: null, destroyedAt: { $type: 'date' } })).not.toBeNull();
    expect(await Evidence.exists({ organisationId, recordId: pack._id })).toBeNull();
    expect(await readFacePack(await getTestPlatform(), pack)).toBeNull();
    expect((await readAll(scope)).map(({ faceId }) => faceId)).not.toContain(anna);
    // The others are packed again.
    expect(await listFacePacks(scope, MODEL)).toMatchObject([{ after: 0, upTo: STRANGERS + 2 }]);
    const faces = await readAll(scope);
    expect(faces).toHaveLength(STRANGERS);
    expect(faces.map(({ faceId }) => faceId)).not.toContain(anna);
  });

  test('has no pack with the selfie of a session whose approval is reversed, nor one of a face that has changed', async () => {
    const { organisationId, identityKey: key } = await createTenant('Reversed approval');
    const scope: Scope = { organisationId, mode: 'live' };
    const platform = await getTestPlatform();
    const { id } = await createSession(key, { features: ['liveness'] });
    parseCheck(await postLiveness(key, { sessionId: id, image: { body: await loadSelfie('anna') } }));
    await waitForStatus(key, id, 'approved');
    const faces = (await readAll(scope)).flatMap(({ embedding, ...face }) =>
      embedding ? [{ ...face, embedding }] : [],
    );
    expect(faces).toMatchObject([{ sessionId: id }]);
    await writeFacePack(platform, scope, MODEL, faces, { after: 0, upTo: 1 });
    expect(await listFacePacks(scope, MODEL)).toHaveLength(1);
    const reversal = { decision: 'decline', override: true, reason: 'Looked again.' };
    expect((await postDecision(key, id, reversal)).status).toBe(200);
    expect(await listFacePacks(scope, MODEL)).toEqual([]);
    // A process that had read the face before the reversal cannot pack it any more.
    await writeFacePack(platform, scope, MODEL, faces, { after: 0, upTo: 1 });
    expect(await listFacePacks(scope, MODEL)).toEqual([]);
    expect(await readAll(scope)).toEqual([]);
  });
});

import { getEmbeddingWeights } from '../../../../activities/vision/manifest';
import { MINUTE_MS } from '../../../../domain/durations';
import { encrypt } from '../../../../lib/crypto/envelope';
import { newId } from '../../../../lib/ids';
import { Face } from '../../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../../models/identity/biometrics/face-gallery';
import { FacePack } from '../../../../models/identity/biometrics/face-pack';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import type { EvidenceRecord } from '../../../../models/platform/evidence/evidence';
import { loadSelfie } from '../../../../scripts/demo/photos';
import { getGalleryRevision, readGalleryChanges } from '../../../../services/identity/biometrics/face-gallery';
import { packGalleries, packGallery } from '../../../../services/identity/biometrics/face-packing';
import { listFacePacks, readFacePacks, writeFacePack } from '../../../../services/identity/biometrics/face-packs';
import type { FaceChange } from '../../../../services/identity/biometrics/face-rows';
import { buildValueAad, createDataKeys } from '../../../../services/platform/evidence/data-keys';
import { readEvidence } from '../../../../services/platform/evidence/evidence';
import type { Scope } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import {
  createSession,
  parseCheck,
  postDecision,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { EVENT_LIMIT_MS } from '../../../support/limits';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const INDEX_PATH = '/v1/biometrics/face-search/index';
/** Enough to be packed. */
const STRANGERS = 1100;
const MODEL = getEmbeddingWeights();

const buildUnitVector = (seed: number): number[] =>
  Array.from({ length: 512 }, (_, at) => (at === seed % 512 ? Math.sqrt(0.99) : Math.sqrt(0.01 / 511)));

const toTenant = ({ organisationId, mode }: Scope) => ({ organisationId, mode });

/** Adds faces as their indexing stores them. */
async function addStrangers(scope: Scope, firstRevision: number): Promise<void> {
  const platform = await getTestPlatform();
  const ids = Array.from({ length: STRANGERS }, () => newId('fac'));
  const keys = await createDataKeys(platform, scope, ids, null);
  const rows = [...keys].map(([_id, key], index) => {
    const values = Buffer.from(Float32Array.from(buildUnitVector(index)).buffer);
    return {
      ...{ _id, ...toTenant(scope), recordId: _id, source: 'index', list: 'users', status: 'indexed' },
      embedding: encrypt(key, values, buildValueAad(scope.organisationId, _id, 'embedding')),
      ...{ model: MODEL, revision: firstRevision + index, createdBy: 'test', createdAt: platform.clock.now() },
    };
  });
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

/** Packs the faces; the workers do the same every minute, and both may do it at the same time. */
async function packFaces(scope: Scope): Promise<void> {
  await packGallery(await getTestPlatform(), scope, MODEL, await getGalleryRevision(scope));
}

/** The decrypted files of all packs. */
async function readPackFiles(scope: Scope): Promise<Buffer[]> {
  const platform = await getTestPlatform();
  const packs = await listFacePacks(scope, MODEL);
  return Promise.all(packs.map(async ({ evidenceId }) => (await readEvidence(platform, scope, evidenceId)).body));
}

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
  test('is packed, and the packs have the same faces as the records', async () => {
    const { organisationId, identityKey: key } = await createIdentityTenant('Packed faces');
    const scope: Scope = { organisationId, mode: 'live' };
    const anna = await indexAnna(key);
    await addStrangers(scope, 2);
    const single = (await readAll(scope)).map(toContent);
    await packFaces(scope);
    const packs = await FacePack.find({ organisationId }).lean();
    expect(packs).toMatchObject([{ after: 0, upTo: STRANGERS + 1, model: MODEL }]);
    const [pack] = packs;
    expect(pack?.faceIds).toHaveLength(STRANGERS + 1);

    const packed = (await readAll(scope)).map(toContent);
    expect(packed.find(({ faceId }) => faceId === anna)).toMatchObject({ externalId: 'customer-1', list: 'users' });
    expect(packed).toEqual(single);
    expect(await searchAnna(key)).toEqual([anna]);
  });

  test('is packed by the workers in the background once it has changed, and once in all processes', async () => {
    const { organisationId } = await createIdentityTenant('Background');
    const scope: Scope = { organisationId, mode: 'live' };
    const platform = await getTestPlatform();
    await FaceGallery.create({ _id: `${organisationId}.live`, organisationId, mode: 'live', revision: 0 });
    await addStrangers(scope, 1);
    await Promise.all([packGalleries(platform, MODEL), packGalleries(platform, MODEL)]);
    const findGallery = () => FaceGallery.findOne({ organisationId, packedRevision: STRANGERS, packingUntil: null });
    // A worker may have claimed the gallery before these two.
    const packed = await platform.changes.waitFor(
      'face_galleries',
      `${organisationId}.live`,
      EVENT_LIMIT_MS,
      findGallery,
    );
    expect(packed).not.toBeNull();
    expect(await listFacePacks(scope, MODEL)).toMatchObject([{ after: 0, upTo: STRANGERS }]);
  });

  test('has a pack whose file was lost made again', async () => {
    const { organisationId } = await createIdentityTenant('Lost pack');
    const scope: Scope = { organisationId, mode: 'live' };
    const platform = await getTestPlatform();
    const _id = `${organisationId}.live`;
    // The gallery counts as packed while another process, which found every face packed, still has it.
    const packingUntil = new Date(platform.clock.now().getTime() + 10 * MINUTE_MS);
    const packing = { packedRevision: STRANGERS, packingUntil };
    await FaceGallery.create({ _id, organisationId, mode: 'live', revision: 0, ...packing });
    await addStrangers(scope, 1);
    await packFaces(scope);
    const [lost] = await listFacePacks(scope, MODEL);
    if (lost === undefined) throw new Error('The faces were not packed.');
    const { objectKey } = await Evidence.findById(lost.evidenceId).orFail().lean<EvidenceRecord>();
    await platform.objects.remove(objectKey);

    expect(await readAll(scope)).toHaveLength(STRANGERS);
    expect(await FacePack.exists({ _id: lost._id })).toBeNull();
    expect(await DataKey.exists({ _id: lost._id, material: null, destroyedAt: { $type: 'date' } })).not.toBeNull();
    expect(await Evidence.exists({ organisationId, recordId: lost._id })).toBeNull();
    // That process no longer has the gallery when it ends.
    expect(await FaceGallery.exists({ _id, packingUntil })).toBeNull();
    await packGalleries(platform, MODEL);
    const findGallery = () => FaceGallery.findOne({ _id, packedRevision: STRANGERS, packingUntil: null });
    // A worker may have claimed the gallery before.
    expect(await platform.changes.waitFor('face_galleries', _id, EVENT_LIMIT_MS, findGallery)).not.toBeNull();
    expect(await listFacePacks(scope, MODEL)).toMatchObject([{ after: 0, upTo: STRANGERS }]);
    expect(await readPackFiles(scope)).toHaveLength(1);
    expect(await readAll(scope)).toHaveLength(STRANGERS);
  });

  test('has no pack with a face that was erased, and the key of that pack is destroyed', async () => {
    const { organisationId, identityKey: key } = await createIdentityTenant('Erased faces');
    const scope: Scope = { organisationId, mode: 'live' };
    const platform = await getTestPlatform();
    const anna = await indexAnna(key);
    await addStrangers(scope, 2);
    await packFaces(scope);
    const template = (await readAll(scope)).find(({ faceId }) => faceId === anna)?.embedding;
    const bytes = Buffer.from(new Uint8Array(Float32Array.from(template ?? []).buffer));
    const [file] = await readPackFiles(scope);
    expect([file?.includes(anna), file?.includes(bytes)]).toEqual([true, true]);
    expect(await searchAnna(key)).toEqual([anna]);
    const packs = await listFacePacks(scope, MODEL);
    const [pack] = packs;
    if (pack === undefined) throw new Error('The faces were not packed.');

    expect((await call('DELETE', `${INDEX_PATH}/${anna}`, { key })).status).toBe(200);
    expect(await searchAnna(key)).toEqual([]);
    expect(await FacePack.exists({ organisationId, faceIds: anna })).toBeNull();
    expect(await DataKey.exists({ _id: pack._id, material: null, destroyedAt: { $type: 'date' } })).not.toBeNull();
    expect(await Evidence.exists({ organisationId, recordId: pack._id })).toBeNull();
    // A process that had listed the packs before the erasure.
    expect(await readFacePacks(platform, packs).next()).toMatchObject({ done: true });
    expect((await readAll(scope)).map(({ faceId }) => faceId)).not.toContain(anna);

    await packFaces(scope);
    expect(await listFacePacks(scope, MODEL)).toMatchObject([{ after: 0, upTo: STRANGERS + 2 }]);
    for (const again of await readPackFiles(scope))
      expect([again.includes(anna), again.includes(bytes)]).toEqual([false, false]);
    const faces = await readAll(scope);
    expect(faces).toHaveLength(STRANGERS);
    expect(faces.map(({ faceId }) => faceId)).not.toContain(anna);
    expect(await searchAnna(key)).toEqual([]);
  });

  test('has no pack with the selfie of a session whose approval is reversed, nor one of a face that has changed', async () => {
    const { organisationId, identityKey: key } = await createIdentityTenant('Reversed approval');
    const scope: Scope = { organisationId, mode: 'live' };
    const platform = await getTestPlatform();
    const { id } = await createSession(key, { features: ['liveness'] });
    parseCheck(await postLiveness(key, { sessionId: id, image: { body: await loadSelfie('anna') } }));
    await waitForStatus(key, id, 'approved');
    const faces = (await readAll(scope)).flatMap(({ embedding, ...face }) =>
      embedding ? [{ ...face, embedding }] : [],
    );
    expect(faces).toMatchObject([{ sessionId: id }]);
    expect(await writeFacePack(platform, scope, MODEL, faces, { after: 0, upTo: 1 })).toBe(true);
    expect(await listFacePacks(scope, MODEL)).toHaveLength(1);
    const reversal = { decision: 'decline', override: true, reason: 'Looked again.' };
    expect((await postDecision(key, id, reversal)).status).toBe(200);
    expect(await listFacePacks(scope, MODEL)).toEqual([]);
    // A process that had read the face before the reversal cannot pack it any more.
    expect(await writeFacePack(platform, scope, MODEL, faces, { after: 0, upTo: 1 })).toBe(false);
    expect(await listFacePacks(scope, MODEL)).toEqual([]);
    expect(await readAll(scope)).toEqual([]);
  });
});

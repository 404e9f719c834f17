import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { createFaceSource } from '../../activities/vision/face-indexing';
import { Galleries } from '../../activities/vision/gallery/galleries';
import { DIMENSIONS } from '../../activities/vision/gallery/scan';
import { getEmbeddingWeights } from '../../activities/vision/manifest';
import { computeSearchThreshold } from '../../domain/identity/biometrics/face-search';
import { loadConfig } from '../../lib/config';
import { newId } from '../../lib/ids';
import { DataKey } from '../../models/platform/evidence/data-key';
import { Face } from '../../models/identity/biometrics/face';
import { FacePack } from '../../models/identity/biometrics/face-pack';
import { Evidence } from '../../models/platform/evidence/evidence';
import { FaceGallery } from '../../models/identity/biometrics/face-gallery';
import { Client, readObject } from '../../scripts/demo/client';
import { loadSelfie } from '../../scripts/demo/photos';
import { getRunFile, getServiceEnvironment, readRunningService } from '../../scripts/demo/running-service';
import type { FaceChange } from '../../services/identity/biometrics/face-gallery';
import { sealEmbedding } from '../../services/identity/biometrics/face-gallery';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { ensureDataKey } from '../../services/platform/evidence/data-keys';
import { createOrganisation } from '../../services/platform/access/organisations';
import type { Platform, Scope } from '../../services/platform/platform';
import { percentile, report, roundTo } from '../report';

const DEFAULT_FACES = 100_000;
const SEARCHES = 100;
/** Concurrent searches, in memory and over HTTP. */
const AT_ONCE = 4;
const BATCH = 500;
const GALLERY_BYTES = 4096 * 1024 * 1024;
const TOP_K = 10;

/** A random vector of unit length, uniformly distributed over the sphere. */
function createUnitVector(): Float32Array {
  const bytes = randomBytes(DIMENSIONS * 8);
  const values = Float32Array.from({ length: DIMENSIONS }, (_, at) => {
    const uniform = (bytes.readUInt32LE(8 * at) + 1) / 2 ** 32;
    return Math.sqrt(-2 * Math.log(uniform)) * Math.cos((2 * Math.PI * bytes.readUInt32LE(8 * at + 4)) / 2 ** 32);
  });
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const computeCosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

const toFaceChange = (embedding: Float32Array, index: number): FaceChange => ({
  faceId: `fac_${index}`,
  list: 'users',
  externalId: null,
  sessionId: null,
  embedding,
});

/** The most similar faces, by comparison with every face in double precision. */
function searchBruteForce(faces: readonly Float32Array[], query: Float32Array): string[] {
  const all = faces.map((face, index) => ({ id: `fac_${index}`, similarity: computeCosine(face, query) }));
  return all
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, TOP_K)
    .map(({ id }) => id);
}

/** Searches galleries filled from memory. */
async function benchFunction(count: number): Promise<Record<string, number>> {
  const faces = Array.from({ length: count }, createUnitVector);
  const galleries = new Galleries(
    {
      revision: () => Promise.resolve(1),
      count: () => Promise.resolve(count),
      async *changes() {
        for (let at = 0; at < count; at += BATCH) {
          yield await Promise.resolve(faces.slice(at, at + BATCH).map((face, index) => toFaceChange(face, at + index)));
        }
      },
    },
    GALLERY_BYTES,
  );
  const scope: Scope = { organisationId: 'org_bench', mode: 'live' };
  const search = (embedding: Float32Array) =>
    galleries.search(scope, { embedding, lists: ['users'], topK: TOP_K, threshold: -1 });
  const filling = performance.now();
  await search(createUnitVector());
  const fillMs = performance.now() - filling;
  let exact = 0;
  const alone = await measureConcurrently(1, SEARCHES, async (run) => {
    const query = createUnitVector();
    const started = performance.now();
    const { hits } = await search(query);
    const took = performance.now() - started;
    const right = run < 10 && hits.map(({ faceId }) => faceId).join() === searchBruteForce(faces, query).join();
    if (right) exact += 1;
    return took;
  });
  const together = await measureConcurrently(AT_ONCE, SEARCHES, async () => {
    const query = createUnitVector();
    const started = performance.now();
    await search(query);
    return performance.now() - started;
  });
  await galleries.close();
  return {
    faces: count,
    fillMs: Math.round(fillMs),
    ...toPercentiles('', alone),
    ...toPercentiles(`${AT_ONCE}AtOnce`, together),
    exactOf10: exact,
    threshold: computeSearchThreshold(count),
    load1Minute: roundTo(loadavg()[0] ?? 0, 1),
  };
}

/** Runs `count` measurements, `atOnce` concurrently, and returns their results. */
async function measureConcurrently(
  atOnce: number,
  count: number,
  measure: (run: number) => Promise<number>,
): Promise<number[]> {
  const milliseconds: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const run = next;
        next += 1;
        milliseconds.push(await measure(run));
      }
    }),
  );
  return milliseconds;
}

const toPercentiles = (name: string, milliseconds: readonly number[]): Record<string, number> => ({
  [`${name}P50Ms`]: roundTo(percentile(milliseconds, 0.5), 1),
  [`${name}P95Ms`]: roundTo(percentile(milliseconds, 0.95), 1),
});

/** Inserts random faces, each encrypted under its own data key, as the API stores them. */
async function insertFaces(platform: Platform, scope: Scope, count: number): Promise<void> {
  const model = getEmbeddingWeights();
  const createdAt = platform.clock.now();
  for (let at = 0; at < count; at += BATCH) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(BATCH, count - at) }, async (_, index) => {
        const id = newId('fac');
        await ensureDataKey(platform, scope, id);
        const embedding = await sealEmbedding(platform, scope, id, [...createUnitVector()]);
        const tenant = { organisationId: scope.organisationId, mode: scope.mode };
        const state = { source: 'index', list: 'users', status: 'indexed', revision: at + index + 1 } as const;
        return { _id: id, ...tenant, recordId: id, ...state, embedding, model, createdBy: 'bench', createdAt };
      }),
    );
    await Face.insertMany(rows);
  }
  const { organisationId, mode } = scope;
  await FaceGallery.create({ _id: `${organisationId}.${mode}`, organisationId, mode, revision: count });
}

/** Searches over HTTP: decoding, embedding and search of a gallery stored in MongoDB. */
async function benchService(count: number): Promise<Record<string, number>> {
  const service = readRunningService();
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  const organisation = await createOrganisation(platform, { name: 'Bench', slug: `bench-${Date.now()}` });
  const scope: Scope = { organisationId: organisation._id, mode: 'live' };
  try {
    const permissions = ['faces:read', 'faces:write'];
    const { secret } = await issueApiKey(platform, scope, 'identity', { name: 'Bench', permissions });
    await insertFaces(platform, scope, count);
    // Time of the read that fills a gallery: MongoDB, data keys, embeddings.
    const filling = performance.now();
    for await (const _ of createFaceSource(platform).changes(scope, 0)) continue;
    const fillMs = performance.now() - filling;
    // The first read has packed the faces.
    const fillingFromPacks = performance.now();
    for await (const _ of createFaceSource(platform).changes(scope, 0)) continue;
    const packedFillMs = performance.now() - fillingFromPacks;
    const client = new Client(service.api, { authorization: `Bearer ${secret}` });
    const image = { body: await loadSelfie('anna'), name: 'selfie.jpg' };
    const search = async (lists: string): Promise<number> => {
      const started = performance.now();
      const fields = { topK: String(TOP_K), lists };
      const { check } = await client.upload('/v1/biometrics/face-search?wait=60', fields, { image });
      readObject({ check }, 'check');
      return performance.now() - started;
    };
    const firstMs = await search('users');
    // Every face is a user: a search of the blocklist compares none and so measures everything but the comparison.
    const without = await measureConcurrently(1, SEARCHES, () => search('blocklist'));
    const alone = await measureConcurrently(1, SEARCHES, () => search('users'));
    const withoutTogether = await measureConcurrently(AT_ONCE, SEARCHES, () => search('blocklist'));
    const together = await measureConcurrently(AT_ONCE, SEARCHES, () => search('users'));
    return {
      httpFaces: count,
      httpReadMs: Math.round(fillMs),
      httpReadFromPacksMs: Math.round(packedFillMs),
      httpFirstMs: Math.round(firstMs),
      ...toPercentiles('httpEmptyList', without),
      ...toPercentiles('http', alone),
      ...toPercentiles(`httpEmptyList${AT_ONCE}AtOnce`, withoutTogether),
      ...toPercentiles(`http${AT_ONCE}AtOnce`, together),
      httpLoad1Minute: roundTo(loadavg()[0] ?? 0, 1),
    };
  } finally {
    const tenant = { organisationId: scope.organisationId };
    await Face.deleteMany(tenant);
    await FaceGallery.deleteMany(tenant);
    await FacePack.deleteMany(tenant);
    await Evidence.deleteMany(tenant);
    await DataKey.deleteMany(tenant);
    await closePlatform(platform);
  }
}

interface FaceCounts {
  /** @default 100,000 */
  faces?: number | undefined;
  /** @default 10,000 */
  serviceFaces?: number | undefined;
}

/** Face search in memory and, if the service is running, over HTTP. */
export async function benchFaceSearch({
  faces = DEFAULT_FACES,
  serviceFaces = DEFAULT_FACES / 10,
}: FaceCounts): Promise<void> {
  const functionFigures = await benchFunction(faces);
  const serviceFigures = existsSync(getRunFile()) ? await benchService(serviceFaces) : {};
  report('face-search', { ...functionFigures, ...serviceFigures });
}

import { RetryingClient } from '../../bench/load/retrying-client';
import { getEmbeddingWeights } from '../../activities/vision/manifest';
import { loadConfig } from '../../lib/config';
import { newId } from '../../lib/ids';
import { Face } from '../../models/identity/biometrics/face';
import { loadPortrait, loadSelfie } from '../../scripts/demo/photos';
import {
  readGalleryChanges,
  incrementGalleryRevision,
  sealEmbedding,
} from '../../services/identity/biometrics/face-gallery';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { ensureDataKey } from '../../services/platform/evidence/data-keys';
import type { Platform, Scope } from '../../services/platform/platform';
import { runTransaction } from '../../services/platform/transactions/unit-of-work';
import { startOwnStack } from '../support/stack';
import type { OwnStack } from '../support/stack';

const INDEX = '/v1/biometrics/face-search/index';
const OTHER_WORKER = 'worker-vision-1';
const STRANGER_COUNT = 1500;
const ROWS_AT_ONCE = 50;
const AT_ONCE = 4;

interface Match {
  id: string;
  similarity: number;
}
interface SearchResult {
  matches: Match[];
  gallerySize: number;
}

/** A deterministic pseudo-random value from 0 to 1. */
const toFraction = (number: number): number => (Math.imul(number + 1, 2_654_435_761) >>> 0) / 2 ** 32;

/** An embedding whose cosine with `base` is about `similarity`. */
function buildSimilarEmbedding(base: Float32Array, similarity: number, seed: number): number[] {
  const other = Array.from({ length: base.length }, (_, at) => toFraction(seed * base.length + at) - 0.5);
  const length = Math.hypot(...other);
  const mixed = other.map(
    (value, at) => similarity * (base[at] ?? 0) + (Math.sqrt(1 - similarity ** 2) * value) / length,
  );
  const mixedLength = Math.hypot(...mixed);
  return mixed.map((value) => value / mixedLength);
}

/** A face or check that is not processed any more; null until then. */
const findEnded = <T extends { status: string }>(record: unknown): T | null =>
  (record as T).status === 'processing' ? null : (record as T);

const roundSimilarity = (value: number): number => Math.round(value * 10_000) / 10_000;

describe('face search in two worker processes', () => {
  let stack: OwnStack;
  let platform: Platform;
  let client: RetryingClient;
  let scope: Scope;
  let selfie: Buffer;

  beforeAll(async () => {
    stack = await startOwnStack({ workers: 'vision=1', env: { RATE_LIMIT_IDENTITY_PER_MINUTE: '100000' } });
    const run = stack.run();
    const config = loadConfig({ ...process.env, ...run.environment });
    platform = await createPlatform({ ...config, LOG_LEVEL: 'error' }, { name: 'test', watch: false });
    client = new RetryingClient({ api: () => stack.run().api, signIn: () => ({ key: run.identityApiKey }) });
    scope = { organisationId: run.organisationId, mode: 'live' };
    selfie = await loadSelfie('anna');
  });

  afterAll(async () => {
    if (platform !== undefined) await closePlatform(platform);
    await stack?.stop();
  });

  /** The process that ran the activity of a workflow, from its history. */
  async function findWorkerPid(workflowId: string): Promise<number> {
    const { events } = await platform.temporal.workflow.getHandle(workflowId).fetchHistory();
    const started = events?.find((event) => event.activityTaskStartedEventAttributes);
    return Number(started?.activityTaskStartedEventAttributes?.identity?.split('@')[0]);
  }

  const listWorkerPids = (): number[] => [stack.run().pids['worker'] ?? 0, stack.run().pids[OTHER_WORKER] ?? 0];

  /** Repeats `work`, several at once, until both processes have run it. */
  async function runOnBothWorkers<T>(work: () => Promise<{ id: string; result: T }>): Promise<T[]> {
    const results: T[] = [];
    const seen = new Set<number>();
    while (!listWorkerPids().every((pid) => seen.has(pid))) {
      const done = await Promise.all(Array.from({ length: AT_ONCE }, work));
      for (const { id, result } of done) {
        seen.add(await findWorkerPid(id));
        results.push(result);
      }
    }
    return results;
  }

  async function indexFace(body: Buffer): Promise<{ id: string; result: string }> {
    const response = await client.request('POST', `${INDEX}?wait=0`, { form: { image: { body } } });
    const { id } = response.body['face'] as { id: string };
    const status = await client.pollUntil(`${INDEX}/${id}?wait=20`, ({ face }) => findEnded(face)?.status ?? null);
    expect(status).toBe('indexed');
    return { id, result: id };
  }

  async function searchFaces(fields: Record<string, string> = {}): Promise<{ id: string; result: SearchResult }> {
    const form = { image: { body: selfie }, topK: '100', ...fields };
    const { body } = await client.request('POST', '/v1/biometrics/face-search?wait=0', { form });
    const { id } = body['check'] as { id: string };
    const { result } = await client.pollUntil(`/v1/checks/${id}?wait=20`, ({ check }) =>
      findEnded<{ status: string; result: SearchResult }>(check),
    );
    return { id, result };
  }

  async function listStoredFaces(): Promise<{ id: string; embedding: Float32Array }[]> {
    const faces: { id: string; embedding: Float32Array }[] = [];
    for await (const changes of readGalleryChanges(platform, scope, getEmbeddingWeights(), 0)) {
      for (const { faceId: id, embedding } of changes) if (embedding !== null) faces.push({ id, embedding });
    }
    return faces;
  }

  /** Compares a stored face with every stored face in double precision. */
  async function searchExhaustively(faceId: string, threshold: number): Promise<Match[]> {
    const faces = await listStoredFaces();
    const query = faces.find(({ id }) => id === faceId)?.embedding ?? new Float32Array();
    return faces
      .map(({ id, embedding }) => ({ id, similarity: embedding.reduce((sum, v, at) => sum + v * (query[at] ?? 0), 0) }))
      .filter(({ similarity }) => similarity >= threshold)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, 100)
      .map(({ id, similarity }) => ({ id, similarity: roundSimilarity(similarity) }));
  }

  async function addStrangers(like: string): Promise<void> {
    const baseEmbedding = (await listStoredFaces()).find(({ id }) => id === like)?.embedding ?? new Float32Array();
    const createRow = async (at: number) => {
      const id = newId('fac');
      await ensureDataKey(platform, scope, id);
      const embedding = buildSimilarEmbedding(baseEmbedding, 0.2 + 0.75 * toFraction(at), at);
      const sealed = await sealEmbedding(platform, scope, id, embedding);
      const state = { source: 'index', list: 'users', status: 'indexed', createdBy: 'test' } as const;
      const model = getEmbeddingWeights();
      return { _id: id, ...scope, recordId: id, ...state, embedding: sealed, model, createdAt: new Date() };
    };
    const rows: Awaited<ReturnType<typeof createRow>>[] = [];
    // In groups: a request waits only so long for one of the few connections.
    for (let first = 0; first < STRANGER_COUNT; first += ROWS_AT_ONCE) {
      const group = Array.from({ length: Math.min(ROWS_AT_ONCE, STRANGER_COUNT - first) }, (_, at) => first + at);
      rows.push(...(await Promise.all(group.map(createRow))));
    }
    await runTransaction(platform, async (unit) => {
      const revision = await incrementGalleryRevision(scope, unit.mongoSession);
      await Face.insertMany(
        rows.map((row) => ({ ...row, revision })),
        { session: unit.mongoSession },
      );
    });
  }

  const sortIds = (matches: readonly Match[]): string[] => matches.map(({ id }) => id).sort();

  let knownIds: string[] = [];

  test('a face indexed by one process is found by the next search in both', async () => {
    const portrait = await loadPortrait('anna');
    knownIds = await runOnBothWorkers(() => indexFace(portrait));
    const responses = await runOnBothWorkers(() => searchFaces());
    for (const { matches, gallerySize } of responses) {
      expect(gallerySize).toBe(knownIds.length);
      expect(sortIds(matches)).toEqual([...knownIds].sort());
    }
  });

  test('a deleted face is found by neither process', async () => {
    const [gone, ...left] = knownIds;
    await client.request('DELETE', `${INDEX}/${gone ?? ''}`);
    for (const { matches } of await runOnBothWorkers(() => searchFaces()))
      expect(sortIds(matches)).toEqual([...left].sort());
    knownIds = left;
  });

  test('both return the exact result, also after one was killed and restarted', async () => {
    const { id } = await indexFace(selfie);
    await addStrangers(id);
    const expected = await searchExhaustively(id, 0.5);
    expect(expected).toHaveLength(100);
    const toMatches = ({ matches }: SearchResult): Match[] =>
      matches.map((match) => ({ id: match.id, similarity: match.similarity }));
    for (const result of await runOnBothWorkers(() => searchFaces({ threshold: '0.5' })))
      expect(toMatches(result)).toEqual(expected);
    const [, before] = listWorkerPids();
    stack.kill(OTHER_WORKER);
    await stack.waitUntilReady();
    expect(listWorkerPids()[1]).not.toBe(before);
    for (const result of await runOnBothWorkers(() => searchFaces({ threshold: '0.5' }))) {
      expect(result.gallerySize).toBe(knownIds.length + 1 + STRANGER_COUNT);
      expect(toMatches(result)).toEqual(expected);
    }
  });
});

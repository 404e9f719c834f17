import { modelOf } from '../../activities/vision/manifest';
import { loadConfig } from '../../lib/config';
import { newId } from '../../lib/ids';
import { Face } from '../../models/identity/biometrics/face';
import { portraitOf, selfieOf } from '../../scripts/demo/photos';
import { galleryChanges, nextGalleryRevision, sealEmbedding } from '../../services/identity/biometrics/face-gallery';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { ensureDataKey } from '../../services/platform/evidence/data-keys';
import type { Platform, Scope } from '../../services/platform/platform';
import { transact } from '../../services/platform/transactions/unit-of-work';
import { startOwnStack } from '../support/stack';
import type { OwnStack } from '../support/stack';
import { CarefulClient } from './load';

const INDEX = '/v1/biometrics/face-search/index';
const OTHER_WORKER = 'worker-vision-1';
const STRANGERS = 1500;
const AT_ONCE = 4;

interface Match {
  id: string;
  similarity: number;
}
interface Answer {
  matches: Match[];
  gallerySize: number;
}

/** A value between 0 and 1 that follows from its number alone. */
const fraction = (number: number): number => (Math.imul(number + 1, 2_654_435_761) >>> 0) / 2 ** 32;

/** An embedding whose cosine with another is near the one wanted: part of it, part something else. */
function resembling(known: Float32Array, wanted: number, seed: number): number[] {
  const other = Array.from({ length: known.length }, (_, at) => fraction(seed * known.length + at) - 0.5);
  const length = Math.hypot(...other);
  const mixed = other.map((value, at) => wanted * (known[at] ?? 0) + (Math.sqrt(1 - wanted ** 2) * value) / length);
  const mixedLength = Math.hypot(...mixed);
  return mixed.map((value) => value / mixedLength);
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

describe('two worker processes that search one index of faces', () => {
  let stack: OwnStack;
  let platform: Platform;
  let client: CarefulClient;
  let scope: Scope;
  let picture: Buffer;

  beforeAll(async () => {
    stack = await startOwnStack({ workers: 'vision=1', env: { RATE_LIMIT_IDENTITY_PER_MINUTE: '100000' } });
    const run = stack.run();
    const config = loadConfig({ ...process.env, ...run.environment });
    platform = await createPlatform({ ...config, LOG_LEVEL: 'error' }, { name: 'test', watch: false });
    client = new CarefulClient(stack, { key: run.identityApiKey });
    scope = { organisationId: run.organisationId, mode: 'live' };
    picture = await selfieOf('anna');
  }, 300_000);

  afterAll(async () => {
    if (platform !== undefined) await closePlatform(platform);
    await stack?.stop();
  }, 120_000);

  /** The process that ran the one activity of a workflow, as Temporal noted it. */
  async function workerOf(workflowId: string): Promise<number> {
    const { events } = await platform.temporal.workflow.getHandle(workflowId).fetchHistory();
    const started = events?.find((event) => event.activityTaskStartedEventAttributes);
    return Number(started?.activityTaskStartedEventAttributes?.identity?.split('@')[0]);
  }

  const bothWorkers = (): number[] => [stack.run().pids['worker'] ?? 0, stack.run().pids[OTHER_WORKER] ?? 0];

  /** Does a piece of work, several at once, until each of the two processes has done one. */
  async function throughBoth<T>(work: () => Promise<{ id: string; result: T }>): Promise<T[]> {
    const results: T[] = [];
    const seen = new Set<number>();
    while (!bothWorkers().every((pid) => seen.has(pid))) {
      const done = await Promise.all(Array.from({ length: AT_ONCE }, work));
      for (const { id, result } of done) {
        seen.add(await workerOf(id));
        results.push(result);
      }
    }
    return results;
  }

  async function index(body: Buffer): Promise<{ id: string; result: string }> {
    const answer = await client.insist('POST', `${INDEX}?wait=60`, { form: { image: { body } } });
    const { id, status } = answer.body['face'] as { id: string; status: string };
    expect(status).toBe('indexed');
    return { id, result: id };
  }

  async function search(fields: Record<string, string> = {}): Promise<{ id: string; result: Answer }> {
    const form = { image: { body: picture }, topK: '100', ...fields };
    const { body } = await client.insist('POST', '/v1/biometrics/face-search?wait=60', { form });
    const check = body['check'] as { id: string; result: Answer };
    return { id: check.id, result: check.result };
  }

  async function storedFaces(): Promise<{ id: string; embedding: Float32Array }[]> {
    const faces: { id: string; embedding: Float32Array }[] = [];
    for await (const changes of galleryChanges(platform, scope, modelOf('face_embedding').sha256, 0)) {
      for (const { faceId: id, embedding } of changes) if (embedding !== null) faces.push({ id, embedding });
    }
    return faces;
  }

  /** Every stored face against the one whose picture is searched, one by one in double precision. */
  async function bruteForce(faceId: string, threshold: number): Promise<Match[]> {
    const faces = await storedFaces();
    const query = faces.find(({ id }) => id === faceId)?.embedding ?? new Float32Array();
    return faces
      .map(({ id, embedding }) => ({ id, similarity: embedding.reduce((sum, v, at) => sum + v * (query[at] ?? 0), 0) }))
      .filter(({ similarity }) => similarity >= threshold)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, 100)
      .map(({ id, similarity }) => ({ id, similarity: rounded(similarity) }));
  }

  async function addStrangers(like: string): Promise<void> {
    const known = (await storedFaces()).find(({ id }) => id === like)?.embedding ?? new Float32Array();
    const rows = await Promise.all(
      Array.from({ length: STRANGERS }, async (_, at) => {
        const id = newId('fac');
        await ensureDataKey(platform, scope, id);
        const embedding = resembling(known, 0.2 + 0.75 * fraction(at), at);
        const sealed = await sealEmbedding(platform, scope, id, embedding);
        const state = { source: 'index', list: 'users', status: 'indexed', createdBy: 'test' } as const;
        const model = modelOf('face_embedding').sha256;
        return { _id: id, ...scope, recordId: id, ...state, embedding: sealed, model, createdAt: new Date() };
      }),
    );
    await transact(platform, async (unit) => {
      const revision = await nextGalleryRevision(scope, unit.session);
      await Face.insertMany(
        rows.map((row) => ({ ...row, revision })),
        { session: unit.session },
      );
    });
  }

  const sorted = (matches: readonly Match[]): string[] => matches.map(({ id }) => id).sort();

  let known: string[] = [];

  test('a face indexed through either is found through both with the next search', async () => {
    const portrait = await portraitOf('anna');
    known = await throughBoth(() => index(portrait));
    const answers = await throughBoth(() => search());
    for (const { matches, gallerySize } of answers) {
      expect(gallerySize).toBe(known.length);
      expect(sorted(matches)).toEqual([...known].sort());
    }
  });

  test('a face deleted is found through neither', async () => {
    const [gone, ...left] = known;
    await client.insist('DELETE', `${INDEX}/${gone ?? ''}`);
    for (const { matches } of await throughBoth(() => search())) expect(sorted(matches)).toEqual([...left].sort());
    known = left;
  });

  test('each answers as a comparison one by one does, and the same after one was killed and started anew', async () => {
    const { id } = await index(picture);
    await addStrangers(id);
    const expected = await bruteForce(id, 0.5);
    expect(expected).toHaveLength(100);
    const shown = ({ matches }: Answer): Match[] =>
      matches.map((match) => ({ id: match.id, similarity: match.similarity }));
    for (const answer of await throughBoth(() => search({ threshold: '0.5' }))) expect(shown(answer)).toEqual(expected);
    const [, before] = bothWorkers();
    stack.kill(OTHER_WORKER);
    await stack.untilReady();
    expect(bothWorkers()[1]).not.toBe(before);
    for (const answer of await throughBoth(() => search({ threshold: '0.5' }))) {
      expect(answer.gallerySize).toBe(known.length + 1 + STRANGERS);
      expect(shown(answer)).toEqual(expected);
    }
  });
});

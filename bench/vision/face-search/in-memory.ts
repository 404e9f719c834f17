import { loadavg } from 'node:os';
import { Galleries } from '../../../activities/vision/gallery/galleries';
import { computeSearchThreshold } from '../../../domain/identity/biometrics/face-search';
import type { FaceChange } from '../../../services/identity/biometrics/face-rows';
import type { Scope } from '../../../services/platform/platform';
import { roundTo } from '../../report';
import { measureConcurrently, toPercentiles } from './repeated';
import { computeCosine, createUnitVector } from './vectors';

const SEARCHES = 100;
const AT_ONCE = 4;
const BATCH = 500;
const GALLERY_BYTES = 4096 * 1024 * 1024;
const TOP_K = 10;

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
export async function benchInMemory(count: number): Promise<Record<string, number>> {
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

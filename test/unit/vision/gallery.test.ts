import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import wabt from 'wabt';
import { quantiseQuery, quantiseRow, createErrorBound } from '../../../activities/vision/gallery/quantisation';
import { DotProducts, decodeModule } from '../../../activities/vision/gallery/dot-products';
import { Galleries } from '../../../activities/vision/gallery/galleries';
import type { FaceSource } from '../../../activities/vision/gallery/galleries';
import { Gallery } from '../../../activities/vision/gallery/gallery';
import { DIMENSIONS, LIST_BITS, scan } from '../../../activities/vision/gallery/scan';
import type { FaceChange } from '../../../services/identity/biometrics/face-rows';
import {
  computeExpectedFalseHits,
  FACE_SEARCH,
  computeIdentificationError,
  computeImpostorRate,
  computeSearchThreshold,
} from '../../../domain/identity/biometrics/face-search';

/** A vector of unit length that follows from its seed alone. */
function buildUnitVector(seed: number): Float32Array {
  let state = (seed * 2654435761 + 1) >>> 0;
  const values = Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const computeCosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

const buildFaceChange = (id: number, changes: Partial<FaceChange> = {}): FaceChange => ({
  faceId: `fac_${id}`,
  list: id % 3 === 0 ? 'blocklist' : 'users',
  externalId: null,
  sessionId: null,
  embedding: buildUnitVector(id),
  ...changes,
});

const BOTH = LIST_BITS.users | LIST_BITS.blocklist;

describe('a gallery', () => {
  test('is searched exactly: all hits and no others, best first', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        ids,
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: -0.1, max: 0.1, noNaN: true }),
        (all, topK, threshold) => {
          const gallery = new Gallery(8);
          gallery.apply(all.map((id) => buildFaceChange(id)));
          const removed = all.filter((id) => id % 5 === 0);
          gallery.apply(removed.map((id) => buildFaceChange(id, { embedding: null })));
          const query = buildUnitVector(1000);
          const { chunks, slotCount: places } = gallery;
          const hits = scan({ chunks, slotCount: places, query, lists: BOTH, threshold, topK, skip: [] });
          const expected = all
            .filter((id) => !removed.includes(id))
            .map((id) => ({ id: `fac_${id}`, similarity: computeCosine(buildUnitVector(id), query) }))
            .filter(({ similarity }) => similarity >= threshold)
            .sort((a, b) => b.similarity - a.similarity)
            .slice(0, topK);
          expect(hits.map(({ slot: place }) => gallery.getEntry(place)?.faceId)).toEqual(expected.map(({ id }) => id));
          hits.forEach(({ similarity }, index) => expect(similarity).toBeCloseTo(expected[index]?.similarity ?? 0, 5));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('excludes other lists and the given slots', () => {
    const gallery = new Gallery(4);
    gallery.apply([1, 2, 3, 4, 5].map((id) => buildFaceChange(id, { externalId: id === 1 ? 'me' : null })));
    const { chunks, slotCount: places } = gallery;
    const found = (lists: number, skip: number[]) =>
      scan({ chunks, slotCount: places, query: buildUnitVector(1), lists, threshold: -1, topK: 10, skip }).map(
        ({ slot: place }) => gallery.getEntry(place)?.faceId,
      );
    expect(found(LIST_BITS.blocklist, [])).toEqual(['fac_3']);
    expect(found(LIST_BITS.users, gallery.findSlots({ externalId: 'me', sessionId: null }))).not.toContain('fac_1');
    expect(gallery.size(['users'])).toBe(4);
    expect(gallery.size(['users', 'blocklist'])).toBe(5);
  });

  test('reuses the slot of an erased face and clears its data', () => {
    const gallery = new Gallery(4);
    gallery.apply([buildFaceChange(1), buildFaceChange(2)]);
    gallery.apply([buildFaceChange(1, { embedding: null })]);
    expect(gallery.chunks[0]?.rows.slice(0, DIMENSIONS).every((value) => value === 0)).toBe(true);
    gallery.apply([buildFaceChange(7), buildFaceChange(7)]);
    expect(gallery.slotCount).toBe(2);
    expect(gallery.size(['users', 'blocklist'])).toBe(2);
  });
});

describe('dot products of quantised embeddings', () => {
  const FOLDER = path.join(__dirname, '../../../activities/vision/gallery');

  test('use the module assembled from dot-products.wat', async () => {
    const assembler = await wabt();
    const source = readFileSync(path.join(FOLDER, 'dot-products.wat'), 'utf8');
    const assembled = assembler.parseWat('dot-products.wat', source, { simd: true }).toBinary({});
    expect(decodeModule().equals(Buffer.from(assembled.buffer))).toBe(true);
  });

  test('are exact for the largest values and any number of rows', () => {
    const products = new DotProducts();
    for (const count of [1, 3, 700]) {
      const rows = Int8Array.from({ length: count * DIMENSIONS }, (_, at) => ((at * 37) % 255) - 127);
      const query = Int16Array.from({ length: DIMENSIONS }, (_, at) => ((at * 7919) % 16_383) - 8191);
      products.setQuery(query);
      const expected = Array.from({ length: count }, (_, row) =>
        query.reduce((sum, value, at) => sum + value * (rows[row * DIMENSIONS + at] ?? 0), 0),
      );
      expect([...products.compute(rows, count, DIMENSIONS)]).toEqual(expected);
    }
    products.setQuery(new Int16Array(DIMENSIONS).fill(8191));
    const most = products.compute(new Int8Array(DIMENSIONS).fill(127), 1, DIMENSIONS);
    expect([...most]).toEqual([8191 * 127 * DIMENSIONS]);
  });

  test('plus the error bound are an upper bound close to the cosine', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.double({ min: -1, max: 1, noNaN: true }), (one, two, share) => {
        const [row, other] = [buildUnitVector(one), buildUnitVector(two)];
        const mixed = row.map((value, at) => share * value + (1 - Math.abs(share)) * (other[at] ?? 0));
        const length = Math.hypot(...mixed);
        fc.pre(length > 0.01);
        const query = mixed.map((value) => value / length);
        const codes = new Int8Array(DIMENSIONS);
        const { scale, residue } = quantiseRow(row, codes);
        const coded = quantiseQuery(query);
        const product = codes.reduce((sum, code, at) => sum + code * (coded.codes[at] ?? 0), 0) * scale * coded.scale;
        const slack = createErrorBound(coded)(residue);
        expect(product + slack).toBeGreaterThanOrEqual(computeCosine(row, query));
        expect(product - slack).toBeLessThanOrEqual(computeCosine(row, query));
        expect(slack).toBeLessThan(0.02);
      }),
    );
  });
});

describe('galleries', () => {
  /** A source as MongoDB is one: faces by organisation, each change with a revision. */
  function createSource() {
    const rows = new Map<string, { revision: number; change: FaceChange }[]>();
    const reads: number[] = [];
    const getRows = (organisationId: string) => rows.get(organisationId) ?? [];
    const source: FaceSource = {
      revision: ({ organisationId }) => Promise.resolve(getRows(organisationId).at(-1)?.revision ?? 0),
      count: ({ organisationId }) => Promise.resolve(getRows(organisationId).length),
      async *changes({ organisationId }, after) {
        await Promise.resolve();
        reads.push(after);
        const changed = getRows(organisationId).filter(({ revision }) => revision > after);
        for (const { change } of changed) yield [change];
      },
    };
    const write = (organisationId: string, change: FaceChange): void => {
      const revision = (getRows(organisationId).at(-1)?.revision ?? 0) + 1;
      rows.set(organisationId, [...getRows(organisationId), { revision, change }]);
    };
    return { source, write, reads };
  }

  const scope = (organisationId: string) => ({ organisationId, mode: 'live' as const });
  const query = (seed: number) => ({
    embedding: buildUnitVector(seed),
    lists: ['users' as const, 'blocklist' as const],
    topK: 5,
    threshold: 0.9,
  });
  const MEGABYTE = 1024 * 1024;

  test('see every write made before a search, and read each change once', async () => {
    const { source, write, reads } = createSource();
    const galleries = new Galleries(source, 64 * MEGABYTE);
    expect(await galleries.search(scope('org_a'), query(1))).toMatchObject({ hits: [], gallerySize: 0 });
    write('org_a', buildFaceChange(1));
    expect((await galleries.search(scope('org_a'), query(1))).hits).toMatchObject([{ faceId: 'fac_1' }]);
    write('org_a', buildFaceChange(2));
    expect((await galleries.search(scope('org_a'), query(2))).hits).toMatchObject([{ faceId: 'fac_2' }]);
    write('org_a', buildFaceChange(2, { embedding: null }));
    expect((await galleries.search(scope('org_a'), query(2))).hits).toEqual([]);
    await galleries.search(scope('org_a'), query(2));
    expect(reads).toEqual([0, 1, 2]);
    await galleries.close();
  });

  test('are separate per organisation, and the least recently used one is evicted', async () => {
    const { source, write, reads } = createSource();
    const galleries = new Galleries(source, 6 * MEGABYTE);
    for (const organisationId of ['org_a', 'org_b', 'org_c']) write(organisationId, buildFaceChange(1));
    for (const organisationId of ['org_a', 'org_b', 'org_c', 'org_b', 'org_a']) {
      expect(await galleries.search(scope(organisationId), query(1))).toMatchObject({ gallerySize: 1 });
      expect(galleries.bytes).toBeLessThanOrEqual(6 * MEGABYTE);
    }
    expect(reads).toHaveLength(4);
    expect(await galleries.search(scope('org_d'), query(1))).toMatchObject({ gallerySize: 0 });
    await galleries.close();
  });

  test('search a gallery larger than the cache as it is read', async () => {
    const { source, write } = createSource();
    const galleries = new Galleries(source, 10 * DIMENSIONS * 4);
    for (let id = 1; id <= 30; id += 1) write('org_a', buildFaceChange(id));
    const result = await galleries.search(scope('org_a'), query(17));
    expect(result).toMatchObject({ gallerySize: 30, hits: [{ faceId: 'fac_17' }] });
    expect(galleries.bytes).toBe(0);
    await galleries.close();
  });
});

describe('the threshold of a search', () => {
  test('rises with the gallery, is never below its minimum, and keeps the error rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (size) => {
        const threshold = computeSearchThreshold(size);
        expect(threshold).toBeGreaterThanOrEqual(FACE_SEARCH.floor);
        expect(computeSearchThreshold(size * 2)).toBeGreaterThanOrEqual(threshold);
        expect(computeIdentificationError(threshold, size)).toBeLessThanOrEqual(0.01);
      }),
    );
    expect([0, 1000, 10_000, 100_000, 1_000_000].map(computeSearchThreshold)).toEqual([0.5, 0.5, 0.527, 0.575, 0.619]);
  });

  test('follows the tail of a normal distribution', () => {
    const at = (deviations: number): number =>
      computeImpostorRate(FACE_SEARCH.impostorMean + deviations * FACE_SEARCH.impostorDeviation);
    expect(at(0)).toBeCloseTo(0.5, 6);
    expect(at(3) / 1.349898e-3).toBeCloseTo(1, 5);
    expect(at(5) / 2.866516e-7).toBeCloseTo(1, 5);
    expect(computeExpectedFalseHits(0.5, 100_000)).toBeCloseTo(100_000 * computeImpostorRate(0.5), 10);
  });
});

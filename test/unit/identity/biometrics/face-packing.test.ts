import fc from 'fast-check';
import { listGaps } from '../../../../services/identity/biometrics/face-gallery';
import { divideIntoPacks } from '../../../../services/identity/biometrics/face-packing';
import type { PackContent } from '../../../../services/identity/biometrics/face-packing';
import type { RevisedFace } from '../../../../services/identity/biometrics/face-rows';

const buildFace = (revision: number, index: number): RevisedFace => ({
  ...{ faceId: `fac_${index}`, list: 'users', externalId: null, sessionId: null, revision },
  embedding: index % 7 === 0 ? null : Float32Array.of(index),
});

async function divide(faces: readonly RevisedFace[], batch: number, upTo: number, max: number): Promise<PackContent[]> {
  async function* read(): AsyncGenerator<RevisedFace[]> {
    for (let at = 0; at < faces.length; at += batch) yield await Promise.resolve(faces.slice(at, at + batch));
  }
  const packs: PackContent[] = [];
  for await (const pack of divideIntoPacks(read(), { after: 0, upTo }, max)) packs.push(pack);
  return packs;
}

describe('faces divided into packs', () => {
  test('are all in the pack whose range has their revision, also where several changed together', async () => {
    const revisions = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 80 });
    const sizes = fc.record({ batch: fc.integer({ min: 1, max: 9 }), max: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(revisions, sizes, async (unsorted, { batch, max }) => {
        const faces = unsorted.sort((a, b) => a - b).map(buildFace);
        const packs = await divide(faces, batch, 40, max);
        const ranges = packs.map(({ range }) => range);
        const placed = packs.flatMap(({ faces: packed, range }) => packed.map(({ faceId }) => ({ faceId, range })));
        const searchable = faces.filter(({ embedding }) => embedding !== null);
        expect(placed.map(({ faceId }) => faceId)).toEqual(searchable.map(({ faceId }) => faceId));
        for (const [index, { range }] of placed.entries()) {
          const revision = searchable[index]?.revision ?? 0;
          expect(revision > range.after && revision <= range.upTo).toBe(true);
        }
        ranges.forEach(({ after }, index) => expect(after).toBe(ranges[index - 1]?.upTo ?? 0));
        expect(ranges.at(-1)?.upTo ?? 0).toBeLessThanOrEqual(40);
      }),
    );
  });
});

describe('the gaps of a gallery', () => {
  test.each([
    ['everything without packs', [], [{ after: 0, upTo: 9 }]],
    ['nothing where packs cover all', [{ after: 0, upTo: 9 }], []],
    [
      'what is before, between and after packs',
      [
        { after: 1, upTo: 3 },
        { after: 5, upTo: 8 },
      ],
      [
        { after: 0, upTo: 1 },
        { after: 3, upTo: 5 },
        { after: 8, upTo: 9 },
      ],
    ],
    ['nothing after a pack that is newer than the revision', [{ after: 0, upTo: 12 }], []],
  ])('are %s', (_name, packs, gaps) => {
    expect(listGaps(packs, 9)).toEqual(gaps);
  });
});

import fc from 'fast-check';
import { toImageBox } from '../../../activities/vision/imaging/coordinates';
import { ImagePyramid } from '../../../activities/vision/imaging/image-pyramid';
import { turnRaster, unturnRect } from '../../../activities/vision/imaging/raster';
import type { Plane, Raster, Turn } from '../../../activities/vision/imaging/raster';
import { computePairSpectrum, measurePeriodicPeak } from '../../../activities/vision/imaging/spectrum';
import { fitSimilarity } from '../../../activities/vision/faces/landmarks';
import { computeOverlap, suppressOverlaps } from '../../../activities/vision/faces/detector';

const TURNS: readonly Turn[] = [0, 90, 180, 270];

const raster = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
      .map((data): Raster => ({ width, height, data })),
  );

describe('rotation', () => {
  test('by 90 degrees four times returns the original image', () => {
    fc.assert(
      fc.property(raster, (image) => {
        const once = turnRaster(turnRaster(turnRaster(turnRaster(image, 90), 90), 90), 90);
        expect(once).toEqual(image);
        expect(turnRaster(image, 180)).toEqual(turnRaster(turnRaster(image, 90), 90));
        expect(turnRaster(turnRaster(image, 270), 90)).toEqual(image);
      }),
    );
  });

  test('maps rectangles back to the image before rotation', () => {
    fc.assert(
      fc.property(raster, fc.constantFrom(...TURNS), fc.nat(), fc.nat(), (image, turn, atX, atY) => {
        const after = turnRaster(image, turn);
        const [x, y] = [atX % after.width, atY % after.height];
        const before = unturnRect({ x, y, width: 1, height: 1 }, turn, image.width, image.height);
        const pixel = ({ data, width }: Raster, column: number, row: number): number[] =>
          Array.from(data.subarray((row * width + column) * 3, (row * width + column) * 3 + 3));
        expect(pixel(image, before.x, before.y)).toEqual(pixel(after, x, y));
      }),
    );
  });

  test('clips boxes to the uploaded image', () => {
    const coordinate = fc.double({ min: -500, max: 1500, noNaN: true });
    fc.assert(
      fc.property(coordinate, coordinate, fc.constantFrom(...TURNS), (x, y, turn) => {
        const image = { raster: { width: 800, height: 600 }, fullWidth: 1600, fullHeight: 1200 };
        const box = toImageBox({ x, y, width: 90, height: 70 }, turn, image);
        expect(Math.min(box.x, box.y, box.width, box.height)).toBeGreaterThanOrEqual(0);
        expect(box.width === 0 || box.x + box.width <= 1600).toBe(true);
        expect(box.height === 0 || box.y + box.height <= 1200).toBe(true);
      }),
    );
  });
});

describe('patches', () => {
  test('at the size of the image equal the image', () => {
    fc.assert(
      fc.property(raster, (image) => {
        const { width, height } = image;
        expect(new ImagePyramid(image).crop({ x: 0, y: 0, width, height }, width, height)).toEqual(image);
      }),
    );
  });

  test('without rotation have the same pixels as those sampled pixel by pixel', () => {
    const scale = fc.double({ min: 0.1, max: 5, noNaN: true });
    const origin = fc.double({ min: -9, max: 15, noNaN: true });
    const size = fc.integer({ min: 1, max: 14 });
    fc.assert(
      fc.property(
        raster,
        fc.tuple(scale, origin, scale, origin),
        fc.tuple(size, size),
        fc.constantFrom(undefined, 127),
        (image, [a, c, e, f], [width, height], outside) => {
          const pyramid = new ImagePyramid(image);
          // A shear that is lost in rounding.
          const pixelByPixel = pyramid.samplePatch(width, height, [a, 1e-300, c, 1e-300, e, f], outside);
          expect(pyramid.samplePatch(width, height, [a, 0, c, 0, e, f], outside)).toEqual(pixelByPixel);
        },
      ),
    );
  });

  test('of a uniform image are uniform at any scale', () => {
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (level, width, height) => {
          const image = { width: 33, height: 21, data: new Uint8Array(33 * 21 * 3).fill(level) };
          const patch = new ImagePyramid(image).crop({ x: -5, y: -5, width: 60, height: 60 }, width, height);
          expect(patch.data.every((value) => value === level)).toBe(true);
        },
      ),
    );
  });

  test('strongly reduced average their pixels instead of skipping them', () => {
    const data = new Uint8Array(64 * 64 * 3);
    for (let index = 0; index < 64 * 64; index += 1) data.fill(index % 2 === 0 ? 255 : 0, index * 3, index * 3 + 3);
    const small = new ImagePyramid({ width: 64, height: 64, data }).crop({ x: 0, y: 0, width: 64, height: 64 }, 4, 4);
    expect(small.data.every((value) => Math.abs(value - 128) <= 2)).toBe(true);
  });
});

describe('alignment', () => {
  test('recovers rotation, scale and translation of points', () => {
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(number(-3, 3), number(0.2, 5), number(-50, 50), number(-50, 50), (angle, scale, dx, dy) => {
        const from = [
          { x: 0, y: 0 },
          { x: 10, y: 1 },
          { x: 4, y: 9 },
        ];
        const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
        const to = from.map(({ x, y }) => ({ x: cos * x - sin * y + dx, y: sin * x + cos * y + dy }));
        const found = fitSimilarity(from, to);
        [cos, -sin, dx, sin, cos, dy].forEach((value, index) => expect(found[index]).toBeCloseTo(value, 6));
      }),
    );
  });
});

describe('non-maximum suppression', () => {
  test('keeps the best of overlapping detections', () => {
    const box = { x: 0, y: 0, width: 10, height: 10 };
    const kept = suppressOverlaps([
      { box, score: 0.7 },
      { box: { ...box, x: 1 }, score: 0.9 },
      { box: { ...box, x: 30 }, score: 0.8 },
    ]);
    expect(kept.map(({ score }) => score)).toEqual([0.9, 0.8]);
    expect(computeOverlap(box, box)).toBe(1);
    expect(computeOverlap(box, { ...box, x: 10 })).toBe(0);
  });
});

/** Power and cross spectrum by the definition of the discrete Fourier transform, under a Hann window. */
function computePairSpectrumDirectly(one: Plane, other: Plane) {
  const size = one.width;
  const hann = (at: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / size);
  const transform = ({ data }: Plane, fx: number, fy: number): [number, number] => {
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    let [re, im] = [0, 0];
    data.forEach((value, index) => {
      const [x, y] = [index % size, Math.floor(index / size)];
      const weighted = (value - mean) * hann(x) * hann(y);
      const angle = (-2 * Math.PI * (fx * x + fy * y)) / size;
      re += weighted * Math.cos(angle);
      im += weighted * Math.sin(angle);
    });
    return [re, im];
  };
  return Array.from({ length: (size * size) / 2 }, (_, at) => {
    const [fx, fy] = [at % size, Math.floor(at / size)];
    const [[ar, ai], [br, bi]] = [transform(one, fx, fy), transform(other, fx, fy)];
    return { first: ar * ar + ai * ai, second: br * br + bi * bi, cross: ar * br + ai * bi };
  });
}

describe('the spectrum', () => {
  const size = 256;
  const plane = (value: (x: number, y: number) => number): Plane => ({
    width: size,
    height: size,
    data: Float32Array.from({ length: size * size }, (_, index) => value(index % size, Math.floor(index / size))),
  });
  // A fixed noise: the next value of a linear congruential generator.
  const noise = (): (() => number) => {
    let state = 12345;
    return () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state / 2 ** 32 - 0.5) * 40;
    };
  };

  test('of noise has no peak, and of a faint pixel grid in the same noise a high peak', () => {
    const [plain, grid] = [noise(), noise()];
    const without = measurePeriodicPeak(plane(() => 128 + plain()));
    const withGrid = measurePeriodicPeak(plane((x, y) => 128 + grid() + 6 * Math.sin(x * 1.3 + y * 0.4)));
    expect(without).toBeLessThan(4.5);
    expect(withGrid).toBeGreaterThan(6);
  });

  test.each([4, 8, 16])('of a pair of planes is that of the discrete Fourier transform, size %d', (side) => {
    const random = noise();
    const [one, other] = [0, 1].map(() => ({
      width: side,
      height: side,
      data: Float32Array.from({ length: side * side }, () => 128 + random()),
    })) as [Plane, Plane];
    const spectrum = computePairSpectrum(one, other);
    const expected = computePairSpectrumDirectly(one, other);
    const largest = Math.max(...expected.map(({ first, second }) => Math.max(first, second)));
    expected.forEach(({ first, second, cross }, at) => {
      expect(Math.abs((spectrum.first[at] ?? NaN) - first)).toBeLessThan(1e-5 * largest);
      expect(Math.abs((spectrum.second[at] ?? NaN) - second)).toBeLessThan(1e-5 * largest);
      expect(Math.abs((spectrum.cross[at] ?? NaN) - cross)).toBeLessThan(1e-5 * largest);
    });
  });
});

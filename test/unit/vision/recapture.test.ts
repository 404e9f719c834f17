import { measureFineStructure } from '../../../activities/vision/documents/recapture';
import type { Raster } from '../../../activities/vision/imaging/raster';
import { detectRecapture } from '../../../domain/identity/documents/recapture';
import { createCameraRandom } from '../../../bench/vision/recapture/camera';

const SIDE = 128;

/** Squares of grey paper under a noisy sensor, with something added to each channel. */
function createSquares(
  count: number,
  added: (x: number, y: number, channel: number, square: number) => number,
): Raster[] {
  const random = createCameraRandom(1);
  return Array.from({ length: count }, (_, square) => ({
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE * 3 }, (__, at) => {
      const pixel = Math.floor(at / 3);
      const noise = (random() + random() + random() - 1.5) * 8;
      return 150 + noise + added(pixel % SIDE, Math.floor(pixel / SIDE), at % 3, square);
    }),
  }));
}

const judgeSquares = (found: Raster[]) => {
  const structure = measureFineStructure(found);
  return structure && detectRecapture(structure);
};

describe('the fine structure of squares', () => {
  test('is nothing of noise alone', () => {
    expect(judgeSquares(createSquares(25, () => 0))).toBeNull();
  });

  test('is nothing of paper that is plain to the last bit, but for an edge', () => {
    const plain = createSquares(25, () => 0).map((square) => ({
      ...square,
      data: new Uint8Array(square.data.length).fill(200),
    }));
    plain.forEach(({ data }) => data.fill(90, 0, 30 * SIDE * 3));
    expect(judgeSquares(plain)).toBeNull();
  });

  test('is nothing of fine lines that bend, as the print of documents has', () => {
    const lines = createSquares(25, (x, y, _channel, square) => {
      const bent = y + 9 * Math.sin((x + square * 31) / 23) + 5 * Math.sin(x / 11 + square);
      return Math.abs((bent % 9) - 4.5) < 0.7 ? -60 : 0;
    });
    expect(judgeSquares(lines)).toBeNull();
  });

  test('is of a print where one grid of dots lies over all of them', () => {
    const dots = createSquares(25, (x, y, _channel, square) => {
      const [u, v] = [(x + square * 128) * 0.21 + y * 0.11, y * 0.21 - (x + square * 128) * 0.11];
      return 6 * (Math.cos(2 * Math.PI * u) + Math.cos(2 * Math.PI * v));
    });
    expect(judgeSquares(dots)).toBe('print');
  });

  test('is of a display where red and blue alternate', () => {
    const stripes = createSquares(
      25,
      (x, y, channel) => 14 * Math.cos(2 * Math.PI * (x * 0.19 + y * 0.07 + channel / 3)),
    );
    expect(measureFineStructure(stripes)?.opponentShare).toBeGreaterThan(0.9);
    expect(judgeSquares(stripes)).toBe('screen');
  });

  test('is not told of too few of them', () => {
    expect(measureFineStructure(createSquares(8, () => 0))).toBeNull();
  });
});

import { measureFineStructure } from '../../../activities/vision/documents/recapture';
import type { Raster } from '../../../activities/vision/imaging/raster';
import { detectRecapture } from '../../../domain/identity/documents/recapture';
import { createRandom } from '../../../bench/random';

const SIDE = 128;
// Local constants: looking up a global for each of a million samples is slow in the sandbox of jest.
const { PI, abs, cos, floor, sin } = Math;

function fillSamples(compute: (at: number) => number): Uint8Array {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let at = 0; at < data.length; at += 1) data[at] = compute(at);
  return data;
}

/** Squares of grey paper with sensor noise, plus a value per pixel and channel. */
function createSquares(
  count: number,
  added: (x: number, y: number, channel: number, square: number) => number,
): Raster[] {
  const random = createRandom(1);
  return Array.from({ length: count }, (_, square) => ({
    width: SIDE,
    height: SIDE,
    data: fillSamples((at) => {
      const pixel = floor(at / 3);
      const noise = (random() + random() + random() - 1.5) * 8;
      return 150 + noise + added(pixel % SIDE, floor(pixel / SIDE), at % 3, square);
    }),
  }));
}

const judgeSquares = (found: Raster[]) => {
  const structure = measureFineStructure(found);
  return structure && detectRecapture(structure);
};

describe('recapture detection', () => {
  test('finds nothing in noise', () => {
    expect(judgeSquares(createSquares(25, () => 0))).toBeNull();
  });

  test('finds nothing in perfectly plain paper with one edge', () => {
    const plain = createSquares(25, () => 0).map((square) => ({
      ...square,
      data: new Uint8Array(square.data.length).fill(200),
    }));
    plain.forEach(({ data }) => data.fill(90, 0, 30 * SIDE * 3));
    expect(judgeSquares(plain)).toBeNull();
  });

  test('finds nothing in fine curved lines, as in the print of documents', () => {
    const lines = createSquares(25, (x, y, _channel, square) => {
      const bent = y + 9 * sin((x + square * 31) / 23) + 5 * sin(x / 11 + square);
      return abs((bent % 9) - 4.5) < 0.7 ? -60 : 0;
    });
    expect(judgeSquares(lines)).toBeNull();
  });

  test('detects a print by a grid of dots over all squares', () => {
    const dots = createSquares(25, (x, y, _channel, square) => {
      const [u, v] = [(x + square * 128) * 0.21 + y * 0.11, y * 0.21 - (x + square * 128) * 0.11];
      return 6 * (cos(2 * PI * u) + cos(2 * PI * v));
    });
    expect(judgeSquares(dots)).toBe('print');
  });

  test('detects a display by alternating red and blue', () => {
    const stripes = createSquares(25, (x, y, channel) => 14 * cos(2 * PI * (x * 0.19 + y * 0.07 + channel / 3)));
    expect(measureFineStructure(stripes)?.opponentShare).toBeGreaterThan(0.9);
    expect(judgeSquares(stripes)).toBe('screen');
  });

  test('requires a minimum number of squares', () => {
    expect(measureFineStructure(createSquares(8, () => 0))).toBeNull();
  });
});

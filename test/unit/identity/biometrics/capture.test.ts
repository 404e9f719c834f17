import { compareCaptures } from '../../../../activities/vision/faces/capture';
import { ImagePyramid } from '../../../../activities/vision/imaging/image-pyramid';
import type { FaceSearch } from '../../../../activities/vision/faces/search';
import { createRandom } from '../../../../bench/random';

const SIDE = 260;

type Pattern = (x: number, y: number) => number;

/** A smooth pattern of grey levels around 128, another one for each seed. */
function createPattern(seed: number): Pattern {
  const random = createRandom(seed);
  const waves = Array.from({ length: 24 }, () => [random() - 0.5, random() - 0.5, random() * 6]);
  return (x, y) =>
    128 + waves.reduce((sum, [fx = 0, fy = 0, phase = 0]) => sum + 8 * Math.sin(0.35 * (fx * x + fy * y) + phase), 0);
}

/** The five points of a face in an image of 260 pixels, as the landmarks that they are computed from. */
function placeLandmarks(shift: number): { x: number; y: number }[] {
  const at = (x: number, y: number): { x: number; y: number } => ({ x: 2 * x + 18 + shift, y: 2 * y - shift });
  const points = Array.from({ length: 68 }, () => at(56, 71));
  for (const index of [37, 38, 40, 41]) points[index] = at(38, 52);
  for (const index of [43, 44, 46, 47]) points[index] = at(74, 52);
  points[48] = at(42, 92);
  points[54] = at(71, 92);
  return points;
}

function drawFace(pattern: Pattern, shift = 0): FaceSearch {
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, index) => {
    const pixel = Math.floor(index / 3);
    return Math.max(0, Math.min(255, pattern(pixel % SIDE, Math.floor(pixel / SIDE))));
  });
  const face = {
    box: { x: 0, y: 0, width: SIDE, height: SIDE },
    score: 1,
    landmarks: placeLandmarks(shift),
    misfit: 0,
  };
  return { turn: 0, image: new ImagePyramid({ width: SIDE, height: SIDE, data }), faces: [face], embedding: null };
}

const pattern = createPattern(1);
/** The pattern seen from the side and above, with light that falls off to the right. */
const fromSide: Pattern = (x, y) => {
  const near = 1 + 0.0004 * (x - 130) - 0.0003 * (y - 140);
  return (0.9 - x / 700) * pattern(130 + (x - 130) * near * 1.06, 140 + (y - 140) * near);
};

test.each<[string, Pattern, number]>([
  ['with other light', (x, y) => 20 + (0.4 + y / 800) * pattern(x, y), 0],
  ['with landmarks found at other places', pattern, 5],
  ['mirrored', (x, y) => pattern(SIDE - x, y), 0],
  ['from the side in uneven light', fromSide, 3],
])('one picture is recognised %s', (_change, changed, shift) => {
  expect(compareCaptures(drawFace(pattern), drawFace(changed, shift))).toBeGreaterThan(0.95);
});

test('pictures of different detail do not correlate', () => {
  expect(compareCaptures(drawFace(pattern), drawFace(createPattern(2)))).toBeLessThan(0.7);
});

test('an image without a face is not compared', () => {
  expect(compareCaptures(drawFace(pattern), { ...drawFace(pattern), faces: [] })).toBeNull();
});

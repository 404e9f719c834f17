import {
  findDocument,
  findDocumentHint,
  findFaceHint,
  isCutOff,
  isTooFar,
  measureBackground,
  measureBrightness,
  measureGlare,
  measureSharpness,
  toBrightness,
} from '../../../../web/capture/camera/image-quality';
import type { Box, Brightness } from '../../../../web/capture/camera/image-quality';
import { planPrompts } from '../../../../web/capture/camera/liveness-plan';
import { addMargin, fitRegion, limitSize } from '../../../../web/capture/camera/regions';

const SIZE = { width: 160, height: 110 } as const;

/** A picture whose pixels are computed. */
const draw = (pixel: (x: number, y: number) => number): Brightness => ({
  ...SIZE,
  values: Uint8ClampedArray.from({ length: SIZE.width * SIZE.height }, (_, index) =>
    pixel(index % SIZE.width, Math.floor(index / SIZE.width)),
  ),
});

const isIn = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom;

const CARD: Box = { left: 16, top: 12, right: 144, bottom: 98 };

/** A card with print on a dark surface. */
const drawCard = (box: Box = CARD, light = 1, print = 60): Brightness =>
  draw((x, y) => light * (isIn(box, x, y) ? (x % 8 < 3 && y % 6 < 3 ? print : 190) : 40));

describe('statistics of a picture', () => {
  test('weigh red, green and blue by their brightness', () => {
    const pixels = Uint8ClampedArray.from([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]);
    expect([...toBrightness(4, 1, pixels).values]).toEqual([76, 150, 29, 255]);
  });

  test('measure brightness, overexposed pixels, focus and background', () => {
    const grey = draw(() => 100);
    expect([measureBrightness(grey), measureGlare(grey), measureSharpness(grey)]).toEqual([100, 0, 0]);
    expect(measureSharpness(drawCard())).toBeGreaterThan(measureSharpness(drawCard(CARD, 1, 170)));
    expect(measureBackground(drawCard())).toBe(40);
    const spot = draw((x) => (x < 16 ? 255 : 120));
    expect(measureGlare(spot)).toBeCloseTo(0.1);
    expect(measureGlare(draw((x) => (x < 16 ? 255 : 240)))).toBe(0);
  });
});

describe('a document', () => {
  test('is found where it differs from its background, bright or dark', () => {
    expect(findDocument(drawCard())).toEqual(CARD);
    expect(findDocument(draw((x, y) => (isIn(CARD, x, y) ? 60 : 220)))).toEqual(CARD);
    expect(findDocument(draw(() => 120))).toBeNull();
    expect(findDocument(drawCard({ left: 70, top: 50, right: 80, bottom: 60 }))).toBeNull();
  });

  test('is cut off at the border, and too far away if it is narrow', () => {
    expect(isCutOff(SIZE_PICTURE, CARD)).toBe(false);
    expect(isCutOff(SIZE_PICTURE, { ...CARD, left: 0 })).toBe(true);
    expect(isCutOff(SIZE_PICTURE, { ...CARD, bottom: SIZE.height })).toBe(true);
    expect(isTooFar(SIZE_PICTURE, CARD)).toBe(false);
    expect(isTooFar(SIZE_PICTURE, { ...CARD, right: 80 })).toBe(true);
  });

  test('has one hint at a time, the most important first, and none if it is good', () => {
    expect(findDocumentHint(drawCard())).toBeNull();
    expect(findDocumentHint(drawCard(CARD, 0.2))).toBe('dark');
    expect(findDocumentHint(draw(() => 120))).toBe('no_document');
    expect(findDocumentHint(drawCard({ ...CARD, left: 0 }))).toBe('cut_off');
    expect(findDocumentHint(drawCard({ left: 40, top: 25, right: 110, bottom: 85 }))).toBe('too_far');
    const card = drawCard();
    const glare = draw((x, y) => (isIn({ ...CARD, right: 50 }, x, y) ? 255 : (card.values[y * SIZE.width + x] ?? 0)));
    expect(findDocumentHint(glare)).toBe('glare');
    expect(findDocumentHint(drawCard(CARD, 1, 186))).toBe('blurred');
  });
});

const SIZE_PICTURE = draw(() => 0);

test('the picture of a face may be dark, overexposed or blurred around it, but not in the middle', () => {
  const middle: Box = { left: 48, top: 22, right: 112, bottom: 88 };
  const face = (light: number, contrast: number) =>
    draw((x, y) => (isIn(middle, x, y) ? light + (x % 6 < 3 ? contrast : 0) : 5));
  expect(findFaceHint(face(120, 40))).toBeNull();
  expect(findFaceHint(face(20, 20))).toBe('dark');
  expect(findFaceHint(face(120, 0))).toBe('blurred');
  expect(findFaceHint(draw((x, y) => (isIn({ ...middle, right: 70 }, x, y) ? 255 : x % 6 < 3 ? 100 : 130)))).toBe(
    'glare',
  );
});

describe('regions of a picture', () => {
  test('fit into the middle, and have margins only within the picture', () => {
    const region = fitRegion({ width: 1600, height: 1200 }, 1.6, 0.9);
    expect(region).toEqual({ x: 80, y: 150, width: 1440, height: 900 });
    expect(addMargin(region, 100, { width: 1600, height: 1200 })).toEqual({ x: 0, y: 50, width: 1600, height: 1100 });
    expect(fitRegion({ width: 600, height: 1200 }, 0.75)).toEqual({ x: 0, y: 200, width: 600, height: 800 });
  });

  test('are scaled down to the longest side, and never up', () => {
    expect(limitSize({ width: 4000, height: 3000 }, 2000)).toEqual({ width: 2000, height: 1500 });
    expect(limitSize({ width: 400, height: 300 }, 2000)).toEqual({ width: 400, height: 300 });
    expect(limitSize({ width: 4000, height: 1 }, 2000)).toEqual({ width: 2000, height: 1 });
  });
});

describe('the prompts of a liveness challenge', () => {
  const count = (plan: ReturnType<typeof planPrompts>) => plan.reduce((sum, { frames }) => sum + frames, 0);

  test('keep the order of the service, and face the camera at the beginning, in between and at the end', () => {
    const plan = planPrompts(['blink', 'turn_left', 'come_closer'], 24);
    expect(plan.map(({ prompt }) => prompt)).toEqual([
      'ready',
      'blink',
      'neutral',
      'turn_left',
      'neutral',
      'come_closer',
      'neutral',
    ]);
  });

  test.each([2, 3, 4])('of %i actions take no more frames than the service accepts', (actions) => {
    const all = ['blink', 'turn_left', 'come_closer', 'turn_right'] as const;
    expect(count(planPrompts(all.slice(0, actions), 24))).toBeLessThanOrEqual(24);
    expect(count(planPrompts(all.slice(0, actions), 24))).toBeGreaterThanOrEqual(4);
  });
});

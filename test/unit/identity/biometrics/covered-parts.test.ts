import { assessSameCapture, SAME_CAPTURE } from '../../../../domain/identity/biometrics/capture';
import { findCoveredParts } from '../../../../domain/identity/biometrics/covered-parts';

const FACE = { eyesOpen: 0.98, eyeBrightness: 0.69, mouthContrast: 0.27, colourStep: 5 };

test.each([
  ['an ordinary face', {}, []],
  ['closed eyes', { eyesOpen: 0.05 }, ['eyes_closed']],
  ['dark glasses', { eyesOpen: 0, eyeBrightness: 0.14 }, ['eyes_covered']],
  ['dark glasses in which the network sees open eyes', { eyeBrightness: 0.2 }, ['eyes_covered']],
  ['a surgical mask', { mouthContrast: 0.1, colourStep: 40 }, ['mouth_covered']],
  ['a mask of the colour of skin', { mouthContrast: 0.03 }, ['mouth_covered']],
  ['a beard', { mouthContrast: 0.35, colourStep: 21 }, []],
  ['smooth skin in even light', { mouthContrast: 0.07, colourStep: 12 }, []],
  ['mask and dark glasses', { eyeBrightness: 0.1, mouthContrast: 0.02 }, ['eyes_covered', 'mouth_covered']],
])('%s has these covered parts', (_what, changes, parts) => {
  expect(findCoveredParts({ ...FACE, ...changes })).toEqual(parts);
});

test('two images are the same picture from the limit on; earlier evidence needs more than the document', () => {
  expect(assessSameCapture(null, SAME_CAPTURE.session)).toEqual([]);
  expect(assessSameCapture(0.91, SAME_CAPTURE.session)).toEqual([]);
  expect(assessSameCapture(0.92, SAME_CAPTURE.earlier)).toEqual([]);
  expect(assessSameCapture(0.92, SAME_CAPTURE.session, { feature: 'id' })).toMatchObject([
    { code: 'same_capture', action: 'review', feature: 'id', details: { correlation: 0.92 } },
  ]);
});

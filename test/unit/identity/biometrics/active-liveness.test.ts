import fc from 'fast-check';
import {
  computeActiveScore,
  detectActionEvents,
  evaluateSequence,
  LIVENESS_ACTIONS,
} from '../../../../domain/identity/biometrics/active-liveness';
import type { FrameObservation, LivenessAction } from '../../../../domain/identity/biometrics/active-liveness';

const buildEmbedding = (seed: number): Float32Array =>
  Float32Array.from({ length: 4 }, (_, at) => (at === seed ? 1 : 0));

const buildFrame = (changes: Partial<FrameObservation> = {}): FrameObservation => ({
  yaw: 2,
  pitch: -5,
  eyesOpen: 0.98,
  size: 0.4,
  embedding: buildEmbedding(0),
  crowded: false,
  ...changes,
});

/** The frames that show each action, without the frontal frames before and after. */
const ACTION_FRAMES: Record<LivenessAction, FrameObservation[]> = {
  turn_left: [
    buildFrame({ yaw: -17 }),
    buildFrame({ yaw: -24 }),
    buildFrame({ yaw: -31, eyesOpen: 0.5 }),
    buildFrame({ yaw: -22 }),
  ],
  turn_right: [buildFrame({ yaw: 23 }), buildFrame({ yaw: 35 }), buildFrame({ yaw: 18 })],
  blink: [buildFrame({ eyesOpen: 0.4 }), buildFrame({ eyesOpen: 0.02 }), buildFrame({ eyesOpen: 0.1 })],
  come_closer: [buildFrame({ size: 0.45 }), buildFrame({ size: 0.52 }), buildFrame({ size: 0.6 })],
};

const performActions = (actions: readonly LivenessAction[]): FrameObservation[] => [
  buildFrame(),
  ...actions.flatMap((action) => [...ACTION_FRAMES[action], buildFrame()]),
];

const orders = fc.shuffledSubarray([...LIVENESS_ACTIONS], { minLength: 2 });

test('all requested actions in their order are recognised', () => {
  fc.assert(
    fc.property(orders, (requested) => {
      const judged = evaluateSequence(requested, performActions(requested));
      expect(judged).toMatchObject({ complete: true, samePerson: true, unexpected: null, facelessFrames: 0 });
      const frames = judged.actions.map((each) => each.frame ?? -1);
      expect(frames).toEqual([...frames].sort((a, b) => a - b));
    }),
  );
});

test('another order or a part of the actions is not accepted', () => {
  fc.assert(
    fc.property(orders, orders, (requested, done) => {
      fc.pre(requested.join() !== done.join());
      const isPart = requested.every(
        (action, index) => done.filter((each) => requested.includes(each))[index] === action,
      );
      const onlyMovesMore = isPart && done.every((each) => requested.includes(each) || !each.startsWith('turn_'));
      expect(evaluateSequence(requested, performActions(done)).complete).toBe(
        onlyMovesMore && done.length > requested.length,
      );
    }),
  );
});

test('a repeated still image shows no action', () => {
  const still = Array.from({ length: 24 }, () => buildFrame());
  expect(detectActionEvents(still)).toEqual([]);
  expect(evaluateSequence(['blink', 'turn_left'], still)).toMatchObject({ complete: false, continuity: 1 });
});

test('an action over several frames counts once, and one without a frame before it does not count', () => {
  const turned = Array.from({ length: 5 }, () => buildFrame({ yaw: 30 }));
  expect(detectActionEvents([buildFrame(), ...turned])).toEqual([{ action: 'turn_right', frame: 1 }]);
  expect(detectActionEvents(turned)).toEqual([]);
  expect(
    detectActionEvents([buildFrame(), buildFrame({ yaw: 30 }), buildFrame({ yaw: 17 }), buildFrame({ yaw: 25 })]),
  ).toHaveLength(1);
  // Eyes that stay closed are not a blink.
  expect(detectActionEvents([buildFrame(), buildFrame({ eyesOpen: 0.1 }), buildFrame({ eyesOpen: 0.1 })])).toEqual([]);
});

test('additional blinks and movements are ignored, an additional turn is reported', () => {
  const done = performActions(['blink', 'turn_left', 'blink', 'come_closer']);
  expect(evaluateSequence(['turn_left', 'come_closer'], done)).toMatchObject({ complete: true, unexpected: null });
  expect(evaluateSequence(['blink', 'come_closer'], done)).toMatchObject({ complete: false, unexpected: 'turn_left' });
});

test('frames of another person are detected, with a lower threshold for a face turned aside', () => {
  const requested: LivenessAction[] = ['turn_left', 'blink'];
  const done = performActions(requested);
  const swapped = done.map((each, index) => (index > 5 ? { ...each, embedding: buildEmbedding(1) } : each));
  expect(evaluateSequence(requested, swapped)).toMatchObject({ samePerson: false, continuity: 0 });
  const alike = Float32Array.from([0.27, Math.sqrt(1 - 0.27 ** 2), 0, 0]);
  const aside = done.map((each) => (Math.abs(each.yaw) > 20 ? { ...each, embedding: alike } : each));
  expect(evaluateSequence(requested, aside)).toMatchObject({ samePerson: true, complete: true });
  const front = done.map((each, index) => (index === done.length - 1 ? { ...each, embedding: alike } : each));
  expect(evaluateSequence(requested, front).samePerson).toBe(false);
});

test('frames without a face and with two people are counted', () => {
  const done = [buildFrame(), null, buildFrame({ crowded: true }), null];
  expect(evaluateSequence(['blink', 'turn_left'], done)).toMatchObject({ facelessFrames: 2, crowdedFrames: 1 });
  expect(evaluateSequence(['blink', 'turn_left'], [null, null])).toMatchObject({ bestFrame: null, continuity: null });
});

test('the score combines the actions and the passive score of the best frame', () => {
  expect(computeActiveScore({ complete: true, samePerson: true }, 96)).toBe(98);
  expect(computeActiveScore({ complete: true, samePerson: true }, 10)).toBe(55);
  expect(computeActiveScore({ complete: false, samePerson: true }, 96)).toBeNull();
  expect(computeActiveScore({ complete: true, samePerson: false }, 96)).toBe(0);
});

import fc from 'fast-check';
import {
  activeScore,
  eventsOf,
  judgeSequence,
  LIVENESS_ACTIONS,
} from '../../../../domain/identity/biometrics/active-liveness';
import type { FrameObservation, LivenessAction } from '../../../../domain/identity/biometrics/active-liveness';

const person = (seed: number): Float32Array => Float32Array.from({ length: 4 }, (_, at) => (at === seed ? 1 : 0));

const frame = (changes: Partial<FrameObservation> = {}): FrameObservation => ({
  yaw: 2,
  pitch: -5,
  eyesOpen: 0.98,
  size: 0.4,
  embedding: person(0),
  crowded: false,
  ...changes,
});

/** The frames in which each action shows, without the look at the camera before and after. */
const SHOWN: Record<LivenessAction, FrameObservation[]> = {
  turn_left: [frame({ yaw: -17 }), frame({ yaw: -24 }), frame({ yaw: -31, eyesOpen: 0.5 }), frame({ yaw: -22 })],
  turn_right: [frame({ yaw: 23 }), frame({ yaw: 35 }), frame({ yaw: 18 })],
  blink: [frame({ eyesOpen: 0.4 }), frame({ eyesOpen: 0.02 }), frame({ eyesOpen: 0.1 })],
  come_closer: [frame({ size: 0.45 }), frame({ size: 0.52 }), frame({ size: 0.6 })],
};

const performed = (actions: readonly LivenessAction[]): FrameObservation[] => [
  frame(),
  ...actions.flatMap((action) => [...SHOWN[action], frame()]),
];

const orders = fc.shuffledSubarray([...LIVENESS_ACTIONS], { minLength: 2 });

test('whoever does what is asked, in its order, has done it all', () => {
  fc.assert(
    fc.property(orders, (asked) => {
      const judged = judgeSequence(asked, performed(asked));
      expect(judged).toMatchObject({ complete: true, samePerson: true, unexpected: null, facelessFrames: 0 });
      const frames = judged.actions.map((each) => each.frame ?? -1);
      expect(frames).toEqual([...frames].sort((a, b) => a - b));
    }),
  );
});

test('another order, or a part of it, is not what was asked', () => {
  fc.assert(
    fc.property(orders, orders, (asked, done) => {
      fc.pre(asked.join() !== done.join());
      const isPart = asked.every((action, index) => done.filter((each) => asked.includes(each))[index] === action);
      const onlyMovesMore = isPart && done.every((each) => asked.includes(each) || !each.startsWith('turn_'));
      expect(judgeSequence(asked, performed(done)).complete).toBe(onlyMovesMore && done.length > asked.length);
    }),
  );
});

test('a still picture does nothing, however often it is sent', () => {
  const still = Array.from({ length: 24 }, () => frame());
  expect(eventsOf(still)).toEqual([]);
  expect(judgeSequence(['blink', 'turn_left'], still)).toMatchObject({ complete: false, continuity: 1 });
});

test('an action that lasts is seen once, and one that never was at rest is not seen', () => {
  const turned = Array.from({ length: 5 }, () => frame({ yaw: 30 }));
  expect(eventsOf([frame(), ...turned])).toEqual([{ action: 'turn_right', frame: 1 }]);
  expect(eventsOf(turned)).toEqual([]);
  expect(eventsOf([frame(), frame({ yaw: 30 }), frame({ yaw: 17 }), frame({ yaw: 25 })])).toHaveLength(1);
  // Eyes that stay closed are no blink.
  expect(eventsOf([frame(), frame({ eyesOpen: 0.1 }), frame({ eyesOpen: 0.1 })])).toEqual([]);
});

test('people may blink and move unasked, but a turn unasked is told', () => {
  const done = performed(['blink', 'turn_left', 'blink', 'come_closer']);
  expect(judgeSequence(['turn_left', 'come_closer'], done)).toMatchObject({ complete: true, unexpected: null });
  expect(judgeSequence(['blink', 'come_closer'], done)).toMatchObject({ complete: false, unexpected: 'turn_left' });
});

test('frames of another person are told, and a face turned aside may look less alike', () => {
  const asked: LivenessAction[] = ['turn_left', 'blink'];
  const done = performed(asked);
  const swapped = done.map((each, index) => (index > 5 ? { ...each, embedding: person(1) } : each));
  expect(judgeSequence(asked, swapped)).toMatchObject({ samePerson: false, continuity: 0 });
  const alike = Float32Array.from([0.27, Math.sqrt(1 - 0.27 ** 2), 0, 0]);
  const aside = done.map((each) => (Math.abs(each.yaw) > 20 ? { ...each, embedding: alike } : each));
  expect(judgeSequence(asked, aside)).toMatchObject({ samePerson: true, complete: true });
  const front = done.map((each, index) => (index === done.length - 1 ? { ...each, embedding: alike } : each));
  expect(judgeSequence(asked, front).samePerson).toBe(false);
});

test('frames without a face and with two people are counted', () => {
  const done = [frame(), null, frame({ crowded: true }), null];
  expect(judgeSequence(['blink', 'turn_left'], done)).toMatchObject({ facelessFrames: 2, crowdedFrames: 1 });
  expect(judgeSequence(['blink', 'turn_left'], [null, null])).toMatchObject({ bestFrame: null, continuity: null });
});

test('the score rests on the actions and on the best frame by itself', () => {
  expect(activeScore({ complete: true, samePerson: true }, 96)).toBe(98);
  expect(activeScore({ complete: true, samePerson: true }, 10)).toBe(55);
  expect(activeScore({ complete: false, samePerson: true }, 96)).toBeNull();
  expect(activeScore({ complete: true, samePerson: false }, 96)).toBe(0);
});

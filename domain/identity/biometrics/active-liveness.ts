/** What a person can be asked to do before the camera. Left and right are the person's own. */
export const LIVENESS_ACTIONS = ['turn_left', 'turn_right', 'blink', 'come_closer'] as const;

export type LivenessAction = (typeof LIVENESS_ACTIONS)[number];

/** Frames of an active check: enough to see each action begin and end, few enough to be judged in a second or two. */
export const FRAME_LIMITS = { least: 4, most: 24 } as const;

/**
 * When an action counts, on what the networks say of ordinary photographs: the yaw of people who look at the camera stays
 * within 15 degrees, that of people who look aside reaches 20 to 42; the eye network says 0.85 and more for open eyes of
 * frontal faces and 0.01 for closed ones.
 */
export const ACTION_LIMITS = {
  /** degrees of yaw beyond which a head is turned, and within which it looks at the camera again */
  turnedYaw: 20,
  frontalYaw: 15,
  /** probability that the more open eye is open: below the first both are closed, above the second one is open */
  closedEyes: 0.3,
  openEyes: 0.6,
  /** height of the face against that of the first frontal frame */
  closerBy: 1.25,
  /** least cosine with the reference frame of a frame that looks at the camera, and of one turned aside */
  sameFace: 0.31,
  sameTurnedFace: 0.25,
  /** share of frames in which no face may be found */
  facelessShare: 0.2,
} as const;

/** What was seen in one frame; null where it shows no face. */
export interface FrameObservation {
  /** degrees, positive to the person's right */
  yaw: number;
  /** degrees */
  pitch: number;
  /** probability that the more open eye is open, 0–1 */
  eyesOpen: number;
  /** height of the face against that of the frame */
  size: number;
  /** an embedding of unit length */
  embedding: Float32Array;
  /** whether another face is large enough to be a second person */
  crowded: boolean;
}

export type Frames = readonly (FrameObservation | null)[];

interface ActionEvent {
  action: LivenessAction;
  /** index of the frame in which it was first seen */
  frame: number;
}

/** One action asked for. */
export interface ActionOutcome {
  action: LivenessAction;
  /** frame in which it was seen, null where it was not, or not in its turn */
  frame: number | null;
}

export interface SequenceEvaluation {
  actions: ActionOutcome[];
  /** a turn nobody asked for at that point, where one was seen */
  unexpected: LivenessAction | null;
  complete: boolean;
  /** index of the frame that looks most straight at the camera with open eyes, null where none does */
  bestFrame: number | null;
  /** least cosine of any frame with that one, null where there is none to compare */
  continuity: number | null;
  /** whether all frames show one person */
  samePerson: boolean;
  facelessFrames: number;
  crowdedFrames: number;
}

const isFrontal = ({ yaw }: FrameObservation): boolean => Math.abs(yaw) <= ACTION_LIMITS.frontalYaw;

const eyesAreOpen = ({ eyesOpen }: FrameObservation): boolean => eyesOpen >= ACTION_LIMITS.openEyes;

const eyesAreClosed = ({ eyesOpen }: FrameObservation): boolean => eyesOpen < ACTION_LIMITS.closedEyes;

const detectTurn = ({ yaw }: FrameObservation): LivenessAction | null => {
  if (Math.abs(yaw) < ACTION_LIMITS.turnedYaw) return null;
  return yaw > 0 ? 'turn_right' : 'turn_left';
};

/** Index of the first frame that looks at the camera with open eyes: what comes before it shows no change of anything. */
const findStartFrame = (frames: Frames): number =>
  frames.findIndex((frame) => frame !== null && isFrontal(frame) && eyesAreOpen(frame));

/** Eyes closed in a frame that looks at the camera, and open again in a later one. */
const isBlinkAt = (frames: Frames, index: number): boolean => {
  const frame = frames[index] ?? null;
  if (frame === null || !isFrontal(frame) || !eyesAreClosed(frame)) return false;
  return frames.slice(index + 1).some((later) => later !== null && isFrontal(later) && eyesAreOpen(later));
};

/** Every action seen, in the order of the frames; one that lasts over several frames is seen once. */
export function detectActionEvents(frames: Frames): ActionEvent[] {
  const start = findStartFrame(frames);
  const neutral = frames[start] ?? null;
  if (neutral === null) return [];
  const events: ActionEvent[] = [];
  let turned: LivenessAction | null = null;
  let closed = false;
  let close = false;
  frames.forEach((frame, index) => {
    if (frame === null || index <= start) return;
    const turn = detectTurn(frame);
    if (turn !== null && turn !== turned) events.push({ action: turn, frame: index });
    // Back at the camera, not merely less far aside, before another turn counts.
    if (turn !== null || isFrontal(frame)) turned = turn;
    const blinks = isBlinkAt(frames, index);
    if (blinks && !closed) events.push({ action: 'blink', frame: index });
    closed = blinks || (closed && !eyesAreOpen(frame));
    const closer = isFrontal(frame) && frame.size >= ACTION_LIMITS.closerBy * neutral.size;
    if (closer && !close) events.push({ action: 'come_closer', frame: index });
    close = closer || (close && !isFrontal(frame));
  });
  return events;
}

/** The actions in their order. People blink and move by themselves, but nobody turns the head away without being asked. */
function matchActionsInOrder(requested: readonly LivenessAction[], events: readonly ActionEvent[]) {
  const actions: ActionOutcome[] = requested.map((action) => ({ action, frame: null }));
  let next = 0;
  let unexpected: LivenessAction | null = null;
  for (const { action, frame } of events) {
    const expected = actions[next];
    if (expected?.action === action) {
      expected.frame = frame;
      next += 1;
    } else if (action === 'turn_left' || action === 'turn_right') {
      unexpected ??= action;
    }
  }
  return { actions, unexpected, complete: next === requested.length && unexpected === null };
}

const computeCosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** The frame that looks most straight at the camera, eyes open, not come closer: the network judges what surrounds a face too. */
function selectBestFrame(frames: Frames): number | null {
  const offAxis = (frame: FrameObservation): number => Math.abs(frame.yaw) + Math.abs(frame.pitch) / 2;
  const usualSize = frames[findStartFrame(frames)]?.size ?? 0;
  let best: { index: number; offAxis: number } | null = null;
  frames.forEach((frame, index) => {
    if (frame === null || !isFrontal(frame) || !eyesAreOpen(frame)) return;
    if (frame.size >= ACTION_LIMITS.closerBy * usualSize) return;
    if (best === null || offAxis(frame) < best.offAxis) best = { index, offAxis: offAxis(frame) };
  });
  return (best as { index: number } | null)?.index ?? null;
}

/** Judges a sequence of frames, in the order they were taken, by the actions asked for in their order. */
export function evaluateSequence(requested: readonly LivenessAction[], frames: Frames): SequenceEvaluation {
  const bestFrame = selectBestFrame(frames);
  const reference = bestFrame === null ? null : (frames[bestFrame] ?? null);
  const similarities = frames.flatMap((frame, index) =>
    frame === null || reference === null || index === bestFrame
      ? []
      : [{ frame, similarity: computeCosine(frame.embedding, reference.embedding) }],
  );
  const getMinSimilarity = ({ yaw }: FrameObservation): number =>
    Math.abs(yaw) < ACTION_LIMITS.turnedYaw ? ACTION_LIMITS.sameFace : ACTION_LIMITS.sameTurnedFace;
  return {
    ...matchActionsInOrder(requested, detectActionEvents(frames)),
    bestFrame,
    continuity: similarities.length === 0 ? null : Math.min(...similarities.map(({ similarity }) => similarity)),
    samePerson: similarities.every(({ frame, similarity }) => similarity >= getMinSimilarity(frame)),
    facelessFrames: frames.filter((frame) => frame === null).length,
    crowdedFrames: frames.filter((frame) => frame?.crowded === true).length,
  };
}

/**
 * Score 0–100 of a sequence with every action in its turn: 50 for the actions, and half of what the best frame scores by
 * itself, so that a film played to the camera is seen by a person. 0 where the frames show different people, null where
 * the actions were not all performed: that is no measure of liveness.
 */
export function computeActiveScore(
  { complete, samePerson }: Pick<SequenceEvaluation, 'complete' | 'samePerson'>,
  passive: number,
): number | null {
  if (!samePerson) return 0;
  return complete ? Math.round(10 * (50 + passive / 2)) / 10 : null;
}

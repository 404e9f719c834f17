/** Actions that a person may be asked to perform in front of the camera. Left and right are the person's own. */
export const LIVENESS_ACTIONS = ['turn_left', 'turn_right', 'blink', 'come_closer'] as const;

export type LivenessAction = (typeof LIVENESS_ACTIONS)[number];

/**
 * Challenges that a session may draw without submitting an attempt: enough for interrupted captures, and too few to wait
 * for the actions of a prepared video. Each attempt permits another one, and attempts are limited.
 */
export const MAX_UNANSWERED_CHALLENGES = 10;

/** Number of frames of an active check: enough to see each action begin and end, and evaluated within two seconds. */
export const FRAME_LIMITS = { least: 4, most: 24 } as const;

/**
 * Thresholds of the actions, derived from the output of the networks on ordinary photographs: the yaw of people who
 * look at the camera stays within 15 degrees, that of people who look aside is 20 to 42 degrees; the eye network
 * returns at least 0.85 for open eyes of frontal faces and 0.01 for closed ones.
 */
export const ACTION_LIMITS = {
  /** Degrees of yaw: above the first a head counts as turned, below the second it faces the camera again. */
  turnedYaw: 20,
  frontalYaw: 15,
  /** Probability that the more open eye is open: below the first both count as closed, above the second one is open. */
  closedEyes: 0.3,
  openEyes: 0.6,
  /** Height of the face relative to the first frontal frame. */
  closerBy: 1.25,
  /** Minimum cosine with the reference frame, for a frame that faces the camera and for one turned aside. */
  sameFace: 0.31,
  sameTurnedFace: 0.25,
  /** Maximum share of frames without a face. */
  facelessShare: 0.2,
} as const;

/** Measurements of one frame; null if it shows no face. */
export interface FrameObservation {
  /** Degrees, positive to the person's right. */
  yaw: number;
  /** Degrees. */
  pitch: number;
  /** Probability that the more open eye is open, 0–1. */
  eyesOpen: number;
  /** Height of the face relative to the frame. */
  size: number;
  /** Embedding of unit length. */
  embedding: Float32Array;
  /** Whether another face is large enough to be a second person. */
  crowded: boolean;
}

export type Frames = readonly (FrameObservation | null)[];

interface ActionEvent {
  action: LivenessAction;
  /** Index of the first frame that shows it. */
  frame: number;
}

/** A requested action. */
export interface ActionOutcome {
  action: LivenessAction;
  /** Frame that shows the action; null if none does, or not in the requested order. */
  frame: number | null;
}

export interface SequenceEvaluation {
  actions: ActionOutcome[];
  /** A turn that was not requested at that point; null if there is none. */
  unexpected: LivenessAction | null;
  complete: boolean;
  /** Index of the most frontal frame with open eyes; null if there is none. */
  bestFrame: number | null;
  /** Minimum cosine of any frame with that one; null if there is no frame to compare. */
  continuity: number | null;
  /** Whether all frames show the same person. */
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

/** Index of the first frontal frame with open eyes: earlier frames show no change. */
const findStartFrame = (frames: Frames): number =>
  frames.findIndex((frame) => frame !== null && isFrontal(frame) && eyesAreOpen(frame));

/** Eyes closed in a frontal frame, and open again in a later one. */
const isBlinkAt = (frames: Frames, index: number): boolean => {
  const frame = frames[index] ?? null;
  if (frame === null || !isFrontal(frame) || !eyesAreClosed(frame)) return false;
  return frames.slice(index + 1).some((later) => later !== null && isFrontal(later) && eyesAreOpen(later));
};

/** The actions seen, in the order of the frames; one that spans several frames is returned once. */
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
    // Another turn counts only once the person faces the camera again.
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

/**
 * Matches the requested actions in order. Blinks and movements in between are natural; an additional turn of the head
 * is not.
 */
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

/**
 * The most frontal frame with open eyes in which the face is not closer: the network also evaluates what surrounds it.
 */
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

/** Evaluates frames in the order of capture by the requested actions. */
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
 * Score 0–100 of a sequence: 50 points for the actions and half of the passive score of the best frame, so that a
 * video played to the camera goes to review. 0 if the frames show different people; null if the actions were not all
 * performed, which says nothing about liveness.
 */
export function computeActiveScore(
  { complete, samePerson }: Pick<SequenceEvaluation, 'complete' | 'samePerson'>,
  passive: number,
): number | null {
  if (!samePerson) return 0;
  return complete ? Math.round(10 * (50 + passive / 2)) / 10 : null;
}

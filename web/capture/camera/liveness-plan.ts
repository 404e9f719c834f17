/** What the person is asked to do while the camera takes pictures. */
export type LivenessPrompt = 'ready' | 'neutral' | 'turn_left' | 'turn_right' | 'blink' | 'come_closer';

export interface PlannedPrompt {
  prompt: LivenessPrompt;
  /** Milliseconds to read the prompt and to begin, before the first frame. */
  leadMs: number;
  frames: number;
}

/** The service expects about three frames a second. */
export const FRAME_EVERY_MS = 350;

const READY = { prompt: 'ready', leadMs: 1500, frames: 2 } as const;
const NEUTRAL = { prompt: 'neutral', leadMs: 900, frames: 1 } as const;
const ACTION_LEAD_MS = 1100;
const LEAST_ACTION_FRAMES = 2;

/**
 * The prompts of a challenge with the frames of each: the person faces the camera at the beginning, after every action
 * and at the end, so that each action is seen to begin and to end.
 * @param most frames that the service accepts
 */
export function planPrompts(
  actions: readonly Exclude<LivenessPrompt, 'ready' | 'neutral'>[],
  most: number,
): PlannedPrompt[] {
  const others = READY.frames + actions.length * NEUTRAL.frames;
  const frames = Math.max(LEAST_ACTION_FRAMES, Math.min(5, Math.floor((most - others) / Math.max(1, actions.length))));
  return [READY, ...actions.flatMap((prompt) => [{ prompt, leadMs: ACTION_LEAD_MS, frames }, NEUTRAL])];
}

import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../api';
import { FailureAlert } from '../screen';
import { FRAME_EVERY_MS, planPrompts } from './liveness-plan';
import type { LivenessPrompt, PlannedPrompt } from './liveness-plan';
import { encodeJpeg, MAX_SIDE } from './pictures';
import { CameraAlert, isProblem, Preview } from './preview';
import { useCamera } from './use-camera';

/** The frames that answer a challenge, in the order of capture. */
export interface Sequence {
  challengeId: string;
  frames: Blob[];
}

/** The preview is a mirror: the person's left is on the left. Arrows stay as they are in every writing direction. */
const SYMBOLS: Readonly<Record<LivenessPrompt, string>> = {
  ready: '◉',
  neutral: '◉',
  turn_left: '←',
  turn_right: '→',
  blink: '◡ ◡',
  come_closer: '⤢',
};

const FRAME_QUALITY = 0.85;

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The capture was left.', 'AbortError'));
    });
  });

/** Shows each prompt and takes its frames. */
async function takeFrames(
  video: HTMLVideoElement,
  plan: readonly PlannedPrompt[],
  onPrompt: (prompt: LivenessPrompt) => void,
  signal: AbortSignal,
): Promise<Blob[]> {
  const frames: Blob[] = [];
  for (const { prompt, leadMs, frames: count } of plan) {
    onPrompt(prompt);
    await wait(leadMs, signal);
    for (let taken = 0; taken < count; taken += 1) {
      const whole = { x: 0, y: 0, width: video.videoWidth, height: video.videoHeight };
      frames.push(await encodeJpeg(video, whole, MAX_SIDE.frame, FRAME_QUALITY));
      await wait(FRAME_EVERY_MS, signal);
    }
  }
  return frames;
}

/** The symbol of a prompt, over the picture. */
const PromptSymbol = ({ prompt }: { prompt: LivenessPrompt }) => (
  <div
    aria-hidden="true"
    style={{
      position: 'absolute',
      bottom: 8,
      insetInline: 0,
      textAlign: 'center',
      fontSize: '3rem',
      lineHeight: 1,
      color: '#fff',
      textShadow: '0 0 6px #000, 0 0 2px #000',
      direction: 'ltr',
    }}
  >
    {SYMBOLS[prompt]}
  </div>
);

/** Runs a challenge once `isRunning` is set, and reports its frames or why there are none. */
function useSequence(
  video: RefObject<HTMLVideoElement | null>,
  isRunning: boolean,
  callbacks: { onSequence: (sequence: Sequence) => void; onFailure: (error: unknown) => void },
): LivenessPrompt | null {
  const [prompt, setPrompt] = useState<LivenessPrompt | null>(null);
  const report = useEffectEvent((outcome: { sequence: Sequence } | { error: unknown }) => {
    if ('sequence' in outcome) return callbacks.onSequence(outcome.sequence);
    setPrompt(null);
    callbacks.onFailure(outcome.error);
  });
  useEffect(() => {
    const element = video.current;
    if (!isRunning || element === null) return undefined;
    const ended = new AbortController();
    // A page that is not shown gets no pictures of the camera, or late ones.
    const interrupt = (): void => {
      if (document.visibilityState === 'visible') return;
      ended.abort();
      report({ error: { code: 'interrupted', requestId: null } });
    };
    document.addEventListener('visibilitychange', interrupt);
    const run = async (): Promise<Sequence> => {
      const { challenge } = await client.createCaptureChallenge({}, { signal: ended.signal });
      const plan = planPrompts(challenge.actions, challenge.frames.most);
      const frames = await takeFrames(element, plan, setPrompt, ended.signal);
      return { challengeId: challenge.challengeId, frames };
    };
    run().then(
      (sequence) => report({ sequence }),
      (error: unknown) => ended.signal.aborted || report({ error }),
    );
    return () => {
      ended.abort();
      document.removeEventListener('visibilitychange', interrupt);
    };
  }, [isRunning, video]);
  return prompt;
}

/** The camera with the prompts of a challenge, which the service draws when the person begins. */
export default function LivenessView({ onSequence }: { onSequence: (sequence: Sequence) => void }) {
  const { t } = useTranslation('capture');
  const { video, status, retry } = useCamera('user');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const onFailure = (reason: unknown): void => {
    setError(reason);
    setRunning(false);
  };
  const prompt = useSequence(video, isRunning, { onSequence, onFailure });

  if (isProblem(status)) {
    // The frames of a camera that has stopped are all the same.
    if (isRunning) setRunning(false);
    const alternative = t('liveness.withoutCamera', { alternative: t('liveness.alternative') });
    return <CameraAlert problem={status} alternative={alternative} onRetry={retry} />;
  }
  return (
    <Stack gap="sm">
      {error !== null && <FailureAlert error={error} />}
      <Preview video={video} facing="user">
        {prompt !== null && <PromptSymbol prompt={prompt} />}
      </Preview>
      <Text role="status" aria-live="assertive" ta="center" fw={700} size="lg" mih="1.6em">
        {prompt !== null ? t(`liveness.${prompt}`) : status === 'opening' ? t('camera.opening') : ''}
      </Text>
      {!isRunning && (
        <Button
          size="md"
          disabled={status !== 'ready'}
          onClick={() => {
            setError(null);
            setRunning(true);
          }}
        >
          {t('liveness.begin')}
        </Button>
      )}
    </Stack>
  );
}

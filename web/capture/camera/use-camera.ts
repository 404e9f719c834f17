import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** Why there is no picture of the camera. */
export type CameraProblem = 'refused' | 'missing' | 'busy' | 'stopped' | 'unsupported';

export type CameraStatus = 'opening' | 'ready' | CameraProblem;

const PROBLEMS: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

const describeProblem = (error: unknown): CameraProblem =>
  (error instanceof DOMException ? PROBLEMS[error.name] : undefined) ?? 'unsupported';

export type Facing = 'user' | 'environment';

/** Print needs many pixels; a face does not. */
const SIZES = {
  environment: { width: { ideal: 2560 }, height: { ideal: 1440 } },
  user: { width: { ideal: 1280 }, height: { ideal: 960 } },
} as const;

/** Width to height of the picture that a camera is asked for, and that most computers have. */
export const getRequestedRatio = (facing: Facing): number => SIZES[facing].width.ideal / SIZES[facing].height.ideal;

async function openStream(facing: Facing): Promise<MediaStream> {
  if (!('mediaDevices' in navigator)) throw new Error('This browser has no cameras, or the page is not secure.');
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: facing }, ...SIZES[facing] },
  });
}

export interface Camera {
  video: RefObject<HTMLVideoElement | null>;
  status: CameraStatus;
  /** Asks for the camera again, after a problem. */
  retry: () => void;
}

/** Shows a camera in a video element while the component is mounted, and switches it off afterwards. */
export function useCamera(facing: Facing): Camera {
  const video = useRef<HTMLVideoElement>(null);
  const [status, setStatus] = useState<CameraStatus>('opening');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    // Phones take the camera away from a page that is left; it is opened again once the page is shown.
    const resume = (): void => {
      if (document.visibilityState !== 'visible') return;
      if (status === 'stopped') setAttempt((before) => before + 1);
      else if (video.current?.paused === true) void video.current.play().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', resume);
    return () => document.removeEventListener('visibilitychange', resume);
  }, [status]);

  useEffect(() => {
    let isEnded = false;
    let stream: MediaStream | null = null;
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    // Not caused by `stop` of this page: another app has taken the camera, or it was unplugged.
    const onStopped = (): void => {
      if (!isEnded) setStatus('stopped');
    };
    const start = async (): Promise<void> => {
      setStatus('opening');
      try {
        stream = await openStream(facing);
        for (const track of stream.getTracks()) track.addEventListener('ended', onStopped);
        const element = video.current;
        if (isEnded || element === null) return stop();
        element.srcObject = stream;
        await element.play();
        // A camera can stop while it is opened.
        if (!isEnded) setStatus(stream.active ? 'ready' : 'stopped');
      } catch (error) {
        const hasStopped = stream?.active === false;
        stop();
        if (!isEnded) setStatus(hasStopped ? 'stopped' : describeProblem(error));
      }
    };
    void start();
    return () => {
      isEnded = true;
      stop();
    };
  }, [facing, attempt]);

  return { video, status, retry: () => setAttempt(attempt + 1) };
}

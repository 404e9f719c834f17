import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode, RefObject, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getRequestedRatio } from './use-camera';
import type { CameraProblem, CameraStatus, Facing } from './use-camera';

/** Whether a camera cannot be used; then the page says why, and what the person can do. */
export const isProblem = (status: CameraStatus): status is CameraProblem => status !== 'ready' && status !== 'opening';

interface CameraAlertProps {
  problem: CameraProblem;
  /** What the person can do without a camera. */
  alternative: string;
  onRetry: () => void;
}

/** Why there is no picture. */
export function CameraAlert({ problem, alternative, onRetry }: CameraAlertProps) {
  const { t } = useTranslation('capture');
  return (
    <Alert color="red" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {t(`camera.${problem}`)} {alternative}
        </Text>
        <Button variant="default" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </Stack>
    </Alert>
  );
}

interface PreviewProps {
  video: RefObject<HTMLVideoElement | null>;
  facing: Facing;
  /** What is drawn over the picture. */
  children: ReactNode;
}

/** Width to height of the narrowest part of a picture that is shown. */
const MIN_RATIO = 3 / 4;
const MAX_HEIGHT_VH = 55;

/**
 * Width to height before the camera has a picture: what follows below stays where it is if the picture has this shape.
 * The picture of a phone held upright is as narrow as the page shows it.
 */
const expectRatio = (facing: Facing): number =>
  window.matchMedia('(orientation: portrait) and (pointer: coarse)').matches ? MIN_RATIO : getRequestedRatio(facing);

/**
 * The picture of the camera; that of the camera at the front is a mirror, as people expect. What is drawn over it can use
 * container units (`cqw`, `cqh`). The picture of a phone held upright is shown without its upper and lower ends, so that
 * it has the width of the page.
 */
export function Preview({ video, facing, children }: PreviewProps) {
  const { t } = useTranslation('capture');
  const [pictureRatio, setPictureRatio] = useState(() => expectRatio(facing));
  const ratio = Math.max(pictureRatio, MIN_RATIO);
  // The picture also changes its shape when the phone is turned.
  const measure = ({ currentTarget: { videoWidth, videoHeight } }: SyntheticEvent<HTMLVideoElement>): void => {
    if (videoHeight > 0) setPictureRatio(videoWidth / videoHeight);
  };
  return (
    <div
      style={{
        position: 'relative',
        width: `min(100%, ${MAX_HEIGHT_VH * ratio}vh)`,
        aspectRatio: String(ratio),
        marginInline: 'auto',
        overflow: 'hidden',
        borderRadius: 12,
        background: '#000',
        containerType: 'size',
      }}
    >
      <video
        ref={video}
        playsInline
        muted
        aria-label={t('camera.label')}
        onLoadedMetadata={measure}
        onResize={measure}
        style={{
          display: 'block',
          width: '100%',
          height: '100%',
          objectFit: 'cover',
          ...(facing === 'user' ? { transform: 'scaleX(-1)' } : {}),
        }}
      />
      {children}
    </div>
  );
}

import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
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

/** The picture of the camera; that of the camera at the front is a mirror, as people expect. */
export function Preview({ video, facing, children }: PreviewProps) {
  const { t } = useTranslation('capture');
  return (
    <div style={{ position: 'relative', overflow: 'hidden', borderRadius: 12, background: '#000' }}>
      <video
        ref={video}
        playsInline
        muted
        aria-label={t('camera.label')}
        style={{
          display: 'block',
          width: '100%',
          minHeight: 200,
          maxHeight: '55vh',
          objectFit: 'contain',
          ...(facing === 'user' ? { transform: 'scaleX(-1)' } : {}),
        }}
      />
      {children}
    </div>
  );
}

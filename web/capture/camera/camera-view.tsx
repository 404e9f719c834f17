import { Button, FileButton, Group, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { findDocumentHint, findFaceHint, toBrightness } from './image-quality';
import type { Brightness, Hint } from './image-quality';
import { compressFile, encodeJpeg, MAX_SIDE } from './pictures';
import { CameraAlert, isProblem, Preview } from './preview';
import { addMargin, fitRegion, limitSize } from './regions';
import type { Region } from './regions';
import { useCamera } from './use-camera';
import type { CameraStatus, Facing } from './use-camera';

/** What the camera is pointed at: a document of card or passport size, a page, or a face. */
export type Subject = 'document' | 'page' | 'face';

interface SubjectView {
  facing: Facing;
  /** Width to height of the frame in which it is held. */
  ratio: number;
  maxSide: number;
  findHint: (picture: Brightness) => Hint | null;
}

/** Passports and cards differ little in shape (ISO/IEC 7810: 1.42 and 1.59); a page is A4. */
const VIEWS: Readonly<Record<Subject, SubjectView>> = {
  document: { facing: 'environment', ratio: 1.45, maxSide: MAX_SIDE.document, findHint: findDocumentHint },
  page: { facing: 'environment', ratio: 0.75, maxSide: MAX_SIDE.document, findHint: findDocumentHint },
  face: { facing: 'user', ratio: 0.8, maxSide: MAX_SIDE.face, findHint: findFaceHint },
};

/** The frame relative to the picture, and the margin around it that is sent, too. */
const FRAME_SHARE = 0.9;
const MARGIN_SHARE = 0.05;

const ANALYSIS_WIDTH = 320;
const ANALYSIS_EVERY_MS = 200;
/** Pictures in a row without a hint before the shutter releases by itself. */
const STEADY_PICTURES = 6;

const getPictureSize = (video: HTMLVideoElement) => ({ width: video.videoWidth, height: video.videoHeight });

function getRegion(video: HTMLVideoElement, ratio: number): Region {
  const size = getPictureSize(video);
  const frame = fitRegion(size, ratio, FRAME_SHARE);
  return addMargin(frame, MARGIN_SHARE * frame.width, size);
}

/** Examines the picture of a video several times a second. @returns the hint, and how many pictures had none so far */
function useHint(video: RefObject<HTMLVideoElement | null>, isReady: boolean, { ratio, findHint }: SubjectView) {
  const [found, setFound] = useState<{ hint: Hint | null; steady: number }>({ hint: null, steady: 0 });
  useEffect(() => {
    if (!isReady) return undefined;
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const examine = (): void => {
      const element = video.current;
      if (element === null || context === null || element.videoWidth === 0) return;
      const region = getRegion(element, ratio);
      const { width, height } = limitSize(region, ANALYSIS_WIDTH);
      canvas.width = width;
      canvas.height = height;
      context.drawImage(element, region.x, region.y, region.width, region.height, 0, 0, width, height);
      const hint = findHint(toBrightness(width, height, context.getImageData(0, 0, width, height).data));
      setFound((before) => ({ hint, steady: hint === null ? before.steady + 1 : 0 }));
    };
    const timer = setInterval(examine, ANALYSIS_EVERY_MS);
    return () => clearInterval(timer);
  }, [video, isReady, ratio, findHint]);
  return found;
}

/** The frame in which the subject is held; everything around it is darkened. */
function Frame({ subject, ratio, isGood }: { subject: Subject; ratio: number; isGood: boolean }) {
  return (
    <div
      aria-hidden="true"
      style={{
        position: 'absolute',
        inset: 0,
        margin: 'auto',
        // As `fitRegion` computes the part of the picture that is sent.
        width: `min(${FRAME_SHARE * 100}cqw, ${FRAME_SHARE * 100 * ratio}cqh)`,
        height: 'fit-content',
        aspectRatio: String(ratio),
        boxSizing: 'border-box',
        border: `3px solid ${isGood ? '#40c057' : '#fff'}`,
        borderRadius: subject === 'face' ? '50%' : 12,
        boxShadow: '0 0 0 100vmax rgb(0 0 0 / 45%)',
      }}
    />
  );
}

/** Files in place of the camera, and the other camera. */
function Alternatives({
  acceptPdf,
  canSwitch,
  onFile,
  onSwitch,
}: {
  acceptPdf: boolean;
  canSwitch: boolean;
  onFile: (file: File) => void;
  onSwitch: () => void;
}) {
  const { t } = useTranslation('capture');
  const label = t(acceptPdf ? 'camera.fileOrPdf' : 'camera.file');
  return (
    <Group gap="sm">
      <FileButton
        accept={acceptPdf ? 'image/*,application/pdf' : 'image/*'}
        onChange={(file) => file !== null && onFile(file)}
        inputProps={{ 'aria-label': label }}
      >
        {(props) => (
          <Button variant="default" {...props}>
            {label}
          </Button>
        )}
      </FileButton>
      <Button variant="default" disabled={!canSwitch} onClick={onSwitch}>
        {t('camera.switch')}
      </Button>
    </Group>
  );
}

/** What the person should do now. */
function Advice({ status, hint, isAutomatic }: { status: CameraStatus; hint: Hint | null; isAutomatic: boolean }) {
  const { t } = useTranslation('capture');
  const advice = hint !== null ? t(`camera.hints.${hint}`) : t(isAutomatic ? 'camera.holdStill' : 'camera.good');
  return (
    // Two lines, whichever hint is shown: the shutter below stays where it is.
    <Text role="status" ta="center" fw={600} mih="3.2em">
      {status === 'opening' ? t('camera.opening') : status === 'ready' ? advice : ''}
    </Text>
  );
}

interface CameraViewProps {
  subject: Subject;
  /** Whether a PDF may be chosen instead of a picture. */
  acceptPdf: boolean;
  onPicture: (picture: Blob) => void;
}

/** The camera with hints, a shutter and, in its place, files. */
export default function CameraView({ subject, acceptPdf, onPicture }: CameraViewProps) {
  const { t } = useTranslation('capture');
  const view = VIEWS[subject];
  const [facing, setFacing] = useState(view.facing);
  const { video, status, retry } = useCamera(facing);
  const [isAutomatic, setAutomatic] = useState(subject !== 'face');
  const { hint, steady } = useHint(video, status === 'ready', view);
  const isTaken = useRef(false);

  const take = async (): Promise<void> => {
    const element = video.current;
    if (element === null || element.videoWidth === 0 || isTaken.current) return;
    isTaken.current = true;
    try {
      onPicture(await encodeJpeg(element, getRegion(element, view.ratio), view.maxSide));
    } catch {
      // The browser had no memory for the picture: the shutter can be released again.
      isTaken.current = false;
    }
  };
  const isReleased = isAutomatic && steady >= STEADY_PICTURES;
  useEffect(() => {
    if (isReleased) void take();
  });
  const choose = async (file: File): Promise<void> => onPicture(await compressFile(file, view.maxSide));

  return (
    <Stack gap="sm">
      {isProblem(status) ? (
        <CameraAlert problem={status} alternative={t('camera.orFile')} onRetry={retry} />
      ) : (
        <Preview video={video} facing={facing}>
          <Frame subject={subject} ratio={view.ratio} isGood={hint === null && status === 'ready'} />
        </Preview>
      )}
      <Advice status={status} hint={hint} isAutomatic={isAutomatic} />
      {!isProblem(status) && (
        <Button size="md" onClick={() => void take()} disabled={status !== 'ready'}>
          {t('camera.take')}
        </Button>
      )}
      <Alternatives
        acceptPdf={acceptPdf}
        canSwitch={status === 'ready'}
        onFile={(file) => void choose(file)}
        onSwitch={() => setFacing(facing === 'user' ? 'environment' : 'user')}
      />
      {subject !== 'face' && !isProblem(status) && (
        <Switch
          label={t('camera.automatic')}
          checked={isAutomatic}
          onChange={(event) => setAutomatic(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

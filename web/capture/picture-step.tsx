import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptureState, CaptureStep } from './api';
import { Review } from './camera/review';
import type { Subject } from './camera/camera-view';
import { Problems } from './problems';
import { Busy, Paragraph, Screen } from './screen';
import { UploadScreen } from './upload-screen';
import type { Send } from './upload-screen';

/** The camera is loaded when it is needed first, so that the page appears quickly. */
const CameraView = lazy(() => import('./camera/camera-view'));

/** One picture of a step. */
export interface PictureRequest {
  subject: Subject;
  heading: string;
  text: string;
  acceptPdf: boolean;
  /** Label of the button that leaves the picture out; undefined if it is needed. */
  skip?: string;
}

interface PictureStepProps {
  step: CaptureStep;
  requests: readonly PictureRequest[];
  /** Sends the pictures in the order of the requests; null for one that was left out. */
  send: (pictures: readonly (Blob | null)[]) => Send;
  onState: (state: CaptureState) => void;
  /** Whether it says why the last capture has to be repeated. @default true */
  showProblems?: boolean;
  /** Further controls below the camera. */
  children?: ReactNode;
}

/** Takes one picture after the other, shows each for review, and sends them together. */
export function PictureStep({ step, requests, send, onState, showProblems = true, children }: PictureStepProps) {
  const { t } = useTranslation('capture');
  const [accepted, setAccepted] = useState<(Blob | null)[]>([]);
  const [picture, setPicture] = useState<Blob | null>(null);
  const request = requests[accepted.length];

  if (request === undefined) {
    const reviewLast = (): void => {
      setAccepted(accepted.slice(0, -1));
      setPicture(accepted.at(-1) ?? null);
    };
    return (
      <UploadScreen send={send(accepted)} onState={onState} onCancel={reviewLast} onDiscard={() => setAccepted([])} />
    );
  }
  const accept = (taken: Blob | null): void => {
    setAccepted([...accepted, taken]);
    setPicture(null);
  };
  if (picture !== null) {
    return (
      <Review
        picture={picture}
        subject={request.subject}
        onUse={() => accept(picture)}
        onRepeat={() => setPicture(null)}
      />
    );
  }
  return (
    <Screen heading={request.heading}>
      {showProblems && accepted.length === 0 && <Problems step={step} />}
      <Paragraph>{request.text}</Paragraph>
      <Suspense fallback={<Busy label={t('camera.opening')} />}>
        <CameraView
          key={accepted.length}
          subject={request.subject}
          acceptPdf={request.acceptPdf}
          onPicture={setPicture}
        />
      </Suspense>
      {request.skip !== undefined && (
        <Button variant="default" onClick={() => accept(null)}>
          {request.skip}
        </Button>
      )}
      {children}
    </Screen>
  );
}

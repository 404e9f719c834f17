import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptureState, CaptureStep } from './api';
import { PictureStep } from './picture-step';
import type { PictureRequest } from './picture-step';

interface StepProps {
  state: CaptureState;
  step: CaptureStep;
  onState: (state: CaptureState) => void;
}

interface DocumentStepProps extends StepProps {
  onChange: () => void;
}

/** @throws Error without a picture: the screens ask for each that is needed */
function requirePicture(picture: Blob | null | undefined): Blob {
  if (picture == null) throw new Error('A picture is missing.');
  return picture;
}

/** The side of a document with the portrait. The service keeps it if a back follows, so that a reload continues there. */
function FrontStep({ state, step, onState, onChange, hasBack }: DocumentStepProps & { hasBack: boolean }) {
  const { t } = useTranslation('capture');
  const request: PictureRequest = {
    subject: 'document',
    heading: t(hasBack ? 'document.front' : 'document.passport'),
    text: t('document.text'),
    acceptPdf: state.acceptPdfDocuments,
  };
  return (
    <PictureStep
      step={step}
      requests={[request]}
      send={([picture]) =>
        (client, options) => {
          const frontImage = requirePicture(picture);
          return hasBack
            ? client.keepCaptureFront({ frontImage }, options)
            : client.captureDocument({ frontImage }, options);
        }}
      onState={onState}
    >
      <Button variant="default" onClick={onChange}>
        {t('document.change')}
      </Button>
    </PictureStep>
  );
}

/** The other side of a document whose front the service keeps. */
function BackStep({ state, step, onState, onFront }: StepProps & { onFront: () => void }) {
  const { t } = useTranslation('capture');
  const request: PictureRequest = {
    subject: 'document',
    heading: t('document.back'),
    text: t('document.text'),
    acceptPdf: state.acceptPdfDocuments,
    skip: t('document.noBack'),
  };
  return (
    <PictureStep
      step={step}
      requests={[request]}
      showProblems={false}
      send={([backImage]) =>
        (client, options) =>
          client.captureDocument(backImage == null ? {} : { backImage }, options)
        }
      onState={onState}
    >
      <Button variant="default" onClick={onFront}>
        {t('document.frontAgain')}
      </Button>
    </PictureStep>
  );
}

/** Front and, if the document has one, back. */
export function DocumentStep(props: DocumentStepProps) {
  const { state, onState } = props;
  const [repeatsFront, setRepeatsFront] = useState(false);
  const type = state.documentChoice?.type;
  const hasBack = state.documents.find((document) => document.type === type)?.back === true;
  if (hasBack && state.frontKept && !repeatsFront) {
    return <BackStep {...props} onFront={() => setRepeatsFront(true)} />;
  }
  const showNext = (changed: CaptureState): void => {
    setRepeatsFront(false);
    onState(changed);
  };
  return <FrontStep {...props} hasBack={hasBack} onState={showNext} />;
}

/** A bill or letter, as a picture or PDF. */
export function AddressStep({ step, onState }: StepProps) {
  const { t } = useTranslation('capture');
  const request = { subject: 'page', heading: t('address.heading'), text: t('address.text'), acceptPdf: true } as const;
  return (
    <PictureStep
      step={step}
      requests={[request]}
      send={([document]) =>
        (client, options) =>
          client.captureAddressProof({ document: requirePicture(document) }, options)
        }
      onState={onState}
    />
  );
}

/** One picture of the face: for steps without liveness, and for people who cannot perform movements. */
export function SelfieStep({ step, onState, children }: StepProps & { children?: ReactNode }) {
  const { t } = useTranslation('capture');
  const request = { subject: 'face', heading: t('selfie.heading'), text: t('selfie.text'), acceptPdf: false } as const;
  return (
    <PictureStep
      step={step}
      requests={[request]}
      send={([picture]) =>
        (client, options) => {
          const image = requirePicture(picture);
          if (step.feature === 'face_match' || step.feature === 'age') {
            return client.captureSelfie({ feature: step.feature, image }, options);
          }
          return client.captureLiveness({ image }, options);
        }}
      onState={onState}
    >
      {children}
    </PictureStep>
  );
}

import { Button } from '@mantine/core';
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

/** Front and, if the document has one, back. */
export function DocumentStep({ state, step, onState, onChange }: DocumentStepProps) {
  const { t } = useTranslation('capture');
  const type = state.documentChoice?.type;
  const hasBack = state.documents.find((document) => document.type === type)?.back === true;
  const page = { subject: 'document', text: t('document.text'), acceptPdf: state.acceptPdfDocuments } as const;
  const front: PictureRequest = { ...page, heading: t(hasBack ? 'document.front' : 'document.passport') };
  const back: PictureRequest = { ...page, heading: t('document.back'), skip: t('document.noBack') };
  return (
    <PictureStep
      step={step}
      requests={hasBack ? [front, back] : [front]}
      send={([frontImage, backImage]) =>
        (client, options) =>
          client.captureDocument(
            { frontImage: requirePicture(frontImage), ...(backImage == null ? {} : { backImage }) },
            options,
          )
        }
      onState={onState}
    >
      <Button variant="default" onClick={onChange}>
        {t('document.change')}
      </Button>
    </PictureStep>
  );
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
export function SelfieStep({ step, onState }: StepProps) {
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
    />
  );
}

import { Button, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptureState, CaptureStep } from './api';
import type { Sequence } from './camera/liveness-view';
import { Problems } from './problems';
import { Busy, Paragraph, Screen } from './screen';
import { SelfieStep } from './steps';
import { UploadScreen } from './upload-screen';

const LivenessView = lazy(() => import('./camera/liveness-view'));

interface LivenessStepProps {
  state: CaptureState;
  step: CaptureStep;
  onState: (state: CaptureState) => void;
}

/** Movements in front of the camera, or a single picture for people who cannot perform them. */
export function LivenessStep({ state, step, onState }: LivenessStepProps) {
  const { t } = useTranslation('capture');
  const [sequence, setSequence] = useState<Sequence | null>(null);
  const [isAlternative, setAlternative] = useState(false);

  if (isAlternative) {
    return (
      <SelfieStep state={state} step={step} onState={onState}>
        <Button variant="default" onClick={() => setAlternative(false)}>
          {t('liveness.back')}
        </Button>
      </SelfieStep>
    );
  }
  if (sequence !== null) {
    return (
      <UploadScreen
        send={(client, options) => client.captureLiveness(sequence, options)}
        onState={onState}
        onCancel={() => setSequence(null)}
        onDiscard={() => setSequence(null)}
      />
    );
  }
  return (
    <Screen heading={t('liveness.heading')}>
      <Problems step={step} />
      <Paragraph>{t('liveness.text')}</Paragraph>
      <Suspense fallback={<Busy label={t('camera.opening')} />}>
        <LivenessView onSequence={setSequence} />
      </Suspense>
      <Button variant="default" onClick={() => setAlternative(true)}>
        {t('liveness.alternative')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('liveness.alternativeText')}
      </Text>
    </Screen>
  );
}

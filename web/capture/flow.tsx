import { Button, List, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptureState, CaptureStep } from './api';
import { ChoiceScreen } from './choice-screen';
import { ConsentScreen } from './consent-screen';
import { LivenessStep } from './liveness-step';
import { ResultScreen } from './result-screen';
import { Busy, Paragraph, Screen } from './screen';
import { AddressStep, DocumentStep, SelfieStep } from './steps';
import type { CaptureControls } from './use-capture';

/** Codes are drawn on devices that have no camera to read them with. */
const DeviceScreen = lazy(() => import('./device-screen'));

const waitsForPerson = ({ status }: CaptureStep): boolean => status === 'not_run' || status === 'retry';

/** A computer: a wide window that is not operated by touch. */
const isComputer = (): boolean =>
  window.matchMedia('(min-width: 48em)').matches && !window.matchMedia('(pointer: coarse)').matches;

/**
 * The step that the person works on: the first that waits, but one that was begun is completed first, even if an earlier
 * one has to be repeated meanwhile.
 */
function useCurrentStep({ steps }: CaptureState): CaptureStep | undefined {
  const [begun, setBegun] = useState<string | null>(null);
  const current = steps.find((step) => step.feature === begun && waitsForPerson(step)) ?? steps.find(waitsForPerson);
  if (current !== undefined && current.feature !== begun) setBegun(current.feature);
  return current;
}

function describeStatus(status: CaptureStep['status']): 'open' | 'processing' | 'repeat' | 'done' {
  if (status === 'not_run') return 'open';
  if (status === 'retry') return 'repeat';
  return status === 'processing' ? 'processing' : 'done';
}

/** The steps with what became of them: the page goes on while the service examines earlier ones. */
function Overview({ steps }: { steps: readonly CaptureStep[] }) {
  const { t } = useTranslation('capture');
  if (steps.length < 2) return null;
  return (
    <nav aria-label={t('overview')}>
      <List type="ordered" size="sm">
        {steps.map((step) => (
          <List.Item key={step.feature}>
            {t(`tasks.${step.task}`)} – {t(`statuses.${describeStatus(step.status)}`)}
          </List.Item>
        ))}
      </List>
    </nav>
  );
}

interface FollowingProps {
  state: CaptureState;
  onTakeBack: () => void;
  /** Shows a code for another device. */
  onNewCode: () => void;
}

/** Another device continues; this one shows how far it is. */
function Following({ state, onTakeBack, onNewCode }: FollowingProps) {
  const { t } = useTranslation('capture');
  return (
    <Screen heading={t('device.followingHeading')}>
      <Paragraph>{t('device.following')}</Paragraph>
      <Overview steps={state.steps} />
      <Button variant="default" onClick={onTakeBack}>
        {t('device.takeBack')}
      </Button>
      <Button variant="default" onClick={onNewCode}>
        {t('device.renew')}
      </Button>
    </Screen>
  );
}

interface StepScreenProps {
  state: CaptureState;
  step: CaptureStep;
  onState: (state: CaptureState) => void;
}

function StepScreen({ state, step, onState }: StepScreenProps) {
  const [isChoosing, setChoosing] = useState(false);
  const props = { state, step, onState };
  switch (step.task) {
    case 'document':
      if (state.documentChoice === null || isChoosing) {
        return (
          <ChoiceScreen
            state={state}
            onState={(changed) => {
              setChoosing(false);
              onState(changed);
            }}
          />
        );
      }
      return <DocumentStep {...props} onChange={() => setChoosing(true)} />;
    case 'liveness':
      return <LivenessStep {...props} />;
    case 'address':
      return <AddressStep {...props} />;
    case 'selfie':
      return <SelfieStep {...props} />;
  }
}

interface FlowProps {
  state: CaptureState;
  controls: CaptureControls;
}

/** Which device continues, as the person has chosen on a computer. */
function useDevices({ handedOver, handOvers }: CaptureState) {
  /** How many devices had opened a code when this one was asked for; null without one. */
  const [codeAfter, setCodeAfter] = useState(() => (isComputer() ? 0 : null));
  const [isTakenBack, setTakenBack] = useState(false);
  const showsCode = codeAfter !== null && handOvers <= codeAfter;
  return {
    // The code is shown until it is opened, also while another device continues that was lost or has no camera.
    showsCode,
    isFollowing: handedOver && !isTakenBack && !showsCode,
    offerCode: (): void => {
      setTakenBack(false);
      setCodeAfter(handOvers);
    },
    stay: (): void => {
      setTakenBack(true);
      setCodeAfter(null);
    },
  };
}

/** The screen that the state of the capture calls for. */
export function Flow({ state, controls }: FlowProps) {
  const { t } = useTranslation('capture');
  const step = useCurrentStep(state);
  const { showsCode, isFollowing, offerCode, stay } = useDevices(state);

  if (!state.open) return <ResultScreen state={state} onFinish={() => void controls.finish()} />;
  if (state.consent === null) return <ConsentScreen state={state} onState={controls.update} />;
  if (step === undefined) return <ResultScreen state={state} onFinish={() => void controls.finish()} />;
  if (isFollowing) return <Following state={state} onTakeBack={stay} onNewCode={offerCode} />;
  if (showsCode) {
    return (
      <Suspense fallback={<Busy label={t('opening')} />}>
        <DeviceScreen onStay={stay} />
      </Suspense>
    );
  }
  const number = state.steps.indexOf(step) + 1;
  return (
    <>
      {state.steps.length > 1 && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('progress', { number, total: state.steps.length })}
        </Text>
      )}
      <StepScreen key={`${step.feature}:${step.attemptsLeft}`} state={state} step={step} onState={controls.update} />
      {isComputer() && (
        <Button variant="default" mt="md" onClick={offerCode}>
          {t('device.offer')}
        </Button>
      )}
    </>
  );
}

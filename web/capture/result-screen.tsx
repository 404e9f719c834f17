import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CaptureState } from './api';
import { Paragraph, Screen } from './screen';

type Outcome = 'checking' | 'approved' | 'review' | 'declined' | 'ended';

const OUTCOMES: Readonly<Record<CaptureState['status'], Outcome>> = {
  not_started: 'checking',
  in_progress: 'checking',
  resubmission_requested: 'checking',
  in_review: 'review',
  approved: 'approved',
  approval_expired: 'ended',
  declined: 'declined',
  expired: 'ended',
  abandoned: 'ended',
  cancelled: 'ended',
};

interface ResultScreenProps {
  state: CaptureState;
  onFinish: () => void;
}

/** What became of the session, without findings: the organisation explains its decision. */
export function ResultScreen({ state, onFinish }: ResultScreenProps) {
  const { t } = useTranslation('capture');
  const outcome = OUTCOMES[state.status];
  const organisation = state.organisation.name;
  return (
    <Screen heading={t(`result.${outcome}Heading`)}>
      <div role="status">
        <Paragraph>{t(`result.${outcome}`, { organisation })}</Paragraph>
      </div>
      {outcome === 'checking' && <Loader aria-hidden="true" />}
      <Button size="md" onClick={onFinish} {...(outcome === 'checking' ? { variant: 'default' } : {})}>
        {state.returnUrl === null ? t('result.finish') : t('return', { organisation })}
      </Button>
    </Screen>
  );
}

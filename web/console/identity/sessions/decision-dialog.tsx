import { Alert, Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { useSession } from '../../session';
import { NewLink } from './capture-link';
import { isDecided, useRefreshSessions } from './session';
import type { Feature, ReviewDecision, Session } from './session';
import './texts';

interface DecisionDialogProps {
  session: Pick<Session, 'id' | 'number' | 'status' | 'features'>;
  decision: ReviewDecision;
  onClose: () => void;
  /** Called once the decision has been recorded. */
  onDecided?: () => void;
}

function useDecision({ session, decision, onClose, onDecided }: DecisionDialogProps, onRecorded: () => void) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const mayLink = useSession().identity.has('sessions:write');
  const initialValues: { reason: string; comment: string; steps: Feature[] } = { reason: '', comment: '', steps: [] };
  return usePageForm({
    initialValues,
    submit: ({ reason, comment, steps }) =>
      identity.decideSession(session.id, {
        decision,
        ...(reason.trim() === '' ? {} : { reason }),
        ...(comment.trim() === '' ? {} : { comment }),
        ...(decision === 'resubmit' && steps.length > 0 ? { steps } : {}),
        override: isDecided(session),
      }),
    onDone: async () => {
      notifications.show({ message: t(`decision.${decision}.done`, { number: session.number }), color: 'green' });
      // The person submits the steps again by a new link, which the dialog offers next.
      if (decision === 'resubmit' && mayLink) onRecorded();
      else onClose();
      onDecided?.();
      await refresh();
    },
  });
}

/** Chooses the steps that are submitted again. */
function StepChoice({ features, input }: { features: readonly Feature[]; input: object }) {
  const { t } = useTranslation('sessions');
  return (
    <Checkbox.Group label={t('decision.steps')} description={t('decision.stepsHint')} {...input}>
      <Stack gap={4} mt="xs">
        {features.map((feature) => (
          <Checkbox key={feature} value={feature} label={t(`feature.${feature}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Offers a link for the steps that are submitted again. */
function ResubmissionLink({ session, onClose }: Pick<DecisionDialogProps, 'session' | 'onClose'>) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  return (
    <Stack>
      <Alert color="green" role="status">
        {t('decision.resubmit.done', { number: session.number })}. {t('link.resubmission')}
      </Alert>
      <NewLink session={session} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common('close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks for the reason of a decision and records it. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { session, decision, onClose } = props;
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const [isRecorded, setRecorded] = useState(false);
  const { form, onSubmit, isPending, failure } = useDecision(props, () => setRecorded(true));
  const title = t(`decision.${decision}.title`, { number: session.number });
  if (isRecorded)
    return (
      <Modal opened onClose={onClose} title={title}>
        <ResubmissionLink session={session} onClose={onClose} />
      </Modal>
    );
  const isOverride = isDecided(session);
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          {isOverride && <Alert color="yellow">{t('decision.override')}</Alert>}
          <TextInput
            label={t('decision.reason')}
            description={t('decision.reasonHint')}
            required={isOverride}
            maxLength={500}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          <Textarea
            label={t('decision.note')}
            description={t('decision.noteHint')}
            autosize
            minRows={2}
            maxLength={5000}
            {...form.getInputProps('comment')}
          />
          {decision === 'resubmit' && <StepChoice features={session.features} input={form.getInputProps('steps')} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isPending} color={decision === 'decline' ? 'red' : undefined}>
              {t(`decision.${decision}.action`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

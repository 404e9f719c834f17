import { Alert, Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import type { Body } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { isDecided, useRefreshSessions } from './session';
import type { Feature, Session } from './session';
import './texts';

export type ReviewDecision = Body<'decideSession'>['decision'];

interface DecisionDialogProps {
  session: Pick<Session, 'id' | 'number' | 'status' | 'features'>;
  decision: ReviewDecision;
  onClose: () => void;
  /** Called once the decision has been recorded. */
  onDecided?: () => void;
}

function useDecision({ session, decision, onClose, onDecided }: DecisionDialogProps) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const initialValues: { reason: string; comment: string; steps: Feature[] } = { reason: '', comment: '', steps: [] };
  return useApiForm({
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
      onClose();
      onDecided?.();
      await refresh();
    },
  });
}

/** Asks for the reason of a decision and records it. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { session, decision, onClose } = props;
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const { form, onSubmit, isPending, failure } = useDecision(props);
  const isOverride = isDecided(session);
  return (
    <Modal opened onClose={onClose} title={t(`decision.${decision}.title`, { number: session.number })}>
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
          {decision === 'resubmit' && (
            <Checkbox.Group
              label={t('decision.steps')}
              description={t('decision.stepsHint')}
              {...form.getInputProps('steps')}
            >
              <Stack gap={4} mt="xs">
                {session.features.map((feature) => (
                  <Checkbox key={feature} value={feature} label={t(`feature.${feature}`)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
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

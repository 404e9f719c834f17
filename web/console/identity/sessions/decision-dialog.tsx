import { Alert, Button, Checkbox, Group, Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { isVersionConflict } from '../../../shared/api/versions';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { useRecordForm } from '../../components/use-record-form';
import { useSession } from '../../session';
import { NewLink } from './capture-link';
import { isDecided, listDecisions, useRefreshSessions } from './session';
import type { Feature, ReviewDecision, Session } from './session';
import { readSession } from './session-query';
import { SessionView } from './session-view';
import { StatusBadge } from './status-badge';
import './texts';

interface DecisionDialogProps {
  /** The session as the page shows it: the decision is not made if it has changed since. */
  shown: Versioned<Session>;
  decision: ReviewDecision;
  /** Called once the decision is recorded, which a dialog that offers a link outlasts. */
  onDecided?: (() => void) | undefined;
  onClose: () => void;
}

interface Values extends Record<string, unknown> {
  reason: string;
  comment: string;
  steps: Feature[];
}

function useDecision({ shown, decision, onDecided, onClose }: DecisionDialogProps, onRecorded: () => void) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const mayLink = useSession().identity.has('sessions:write');
  const { id, number } = shown.record;
  const { record, ...api } = useRecordForm<Session, Values, unknown>({
    edited: shown,
    read: (options) => readSession(id, options),
    toValues: () => ({ reason: '', comment: '', steps: [] }),
    submit: async ({ reason, comment, steps }, options, seen) => {
      try {
        return await identity.decideSession(
          id,
          {
            decision,
            ...(reason.trim() === '' ? {} : { reason }),
            ...(comment.trim() === '' ? {} : { comment }),
            ...(decision === 'resubmit' && steps.length > 0 ? { steps } : {}),
            override: isDecided(seen ?? shown.record),
          },
          options,
        );
      } catch (error) {
        // The page behind the dialog then shows what has changed.
        if (isVersionConflict(error)) void refresh();
        throw error;
      }
    },
    onDone: async () => {
      notifications.show({ message: t(`decision.${decision}.done`, { number }), color: 'green' });
      onDecided?.();
      // The person submits the steps again by a new link, which the dialog offers next.
      if (decision === 'resubmit' && mayLink) onRecorded();
      else onClose();
      await refresh();
    },
  });
  return { ...api, session: record ?? shown.record };
}

interface DecisionChoiceProps {
  session: Session;
  decision: ReviewDecision;
  onChange: (decision: ReviewDecision) => void;
}

/** Chooses among the decisions that the current status permits, which may not be those that were offered before. */
function DecisionChoice({ session, decision, onChange }: DecisionChoiceProps) {
  const { t } = useTranslation('sessions');
  const decisions = listDecisions(session);
  return (
    <>
      <Group gap="xs">
        <Text size="sm">{t('decision.status')}</Text>
        <StatusBadge status={session.status} />
      </Group>
      {decisions.length === 0 ? (
        <Alert color="yellow">{t('decision.none')}</Alert>
      ) : (
        <Radio.Group label={t('decision.choice')} value={decision}>
          <Stack gap={4} mt="xs">
            {decisions.map((each) => (
              <Radio key={each} value={each} label={t(`decision.${each}.action`)} onChange={() => onChange(each)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
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

interface DecisionFieldsProps {
  form: UseFormReturnType<Values>;
  session: Session;
  decision: ReviewDecision;
}

function DecisionFields({ form, session, decision }: DecisionFieldsProps) {
  const { t } = useTranslation('sessions');
  return (
    <>
      <TextInput
        label={t('decision.reason')}
        description={t('decision.reasonHint')}
        required={isDecided(session)}
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
      {decision === 'resubmit' && listDecisions(session).includes(decision) && (
        <StepChoice features={session.features} input={form.getInputProps('steps')} />
      )}
    </>
  );
}

/** Offers a link for the steps that are submitted again. */
function ResubmissionLink({ session, onClose }: { session: Session; onClose: () => void }) {
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

/** The current state of a session, which the dialog covers on the page. */
const CurrentState = ({ session }: { session: Session }) => (
  <Stack mt="xl">
    <SessionView session={session} isReadOnly />
  </Stack>
);

/** Asks for the reason of a decision and records it; a session that has changed meanwhile is shown and decided again. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { onClose } = props;
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const [decision, setDecision] = useState(props.decision);
  const [isRecorded, setRecorded] = useState(false);
  const { form, onSubmit, isPending, failure, conflict, session } = useDecision({ ...props, decision }, () =>
    setRecorded(true),
  );
  const title = t(`decision.${decision}.title`, { number: session.number });
  if (isRecorded)
    return (
      <Modal opened onClose={onClose} title={title}>
        <ResubmissionLink session={session} onClose={onClose} />
      </Modal>
    );
  const isPossible = listDecisions(session).includes(decision);
  const isReloaded = conflict?.isLoaded === true;
  return (
    <Modal opened onClose={onClose} title={title} size={isReloaded ? '75rem' : 'md'}>
      <form onSubmit={onSubmit}>
        <Stack>
          <ConflictNotice conflict={conflict} texts={t('decision.conflict', { returnObjects: true })} />
          <Failure error={failure} />
          {(isReloaded || !isPossible) && (
            <DecisionChoice session={session} decision={decision} onChange={setDecision} />
          )}
          {isDecided(session) && isPossible && <Alert color="yellow">{t('decision.override')}</Alert>}
          <DecisionFields form={form} session={session} decision={decision} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={!isPossible}
              color={decision === 'decline' ? 'red' : undefined}
            >
              {t(`decision.${decision}.action`)}
            </Button>
          </Group>
        </Stack>
      </form>
      {isReloaded && <CurrentState session={session} />}
    </Modal>
  );
}

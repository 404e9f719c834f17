import { Alert, Button, Card, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { CaptureLink } from './capture-link';
import { FEATURES, useRefreshSessions } from './session';
import type { Feature } from './session';
import { useWorkflowChoices } from './use-workflow-choices';
import './texts';

type CreatedSession = OperationResponse<'createSession'>['session'];

function Created({ session, onAgain }: { session: CreatedSession; onAgain: () => void }) {
  const { t } = useTranslation('sessions');
  return (
    <Card withBorder maw={640}>
      <Stack>
        <Alert color="green" role="status">
          {t('create.done', { number: session.number })}
        </Alert>
        {session.url === null ? <Text size="sm">{t('create.noLink')}</Text> : <CaptureLink url={session.url} />}
        <Group>
          <Button component={Link} to={`/sessions/${session.id}`}>
            {t('create.show')}
          </Button>
          <Button variant="default" onClick={onAgain}>
            {t('create.again')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

interface SessionValues extends Record<string, unknown> {
  externalId: string;
  workflowId: string;
  features: Feature[];
  firstName: string;
  lastName: string;
  dateOfBirth: string;
}

const initialValues: SessionValues = {
  externalId: '',
  workflowId: '',
  features: [],
  firstName: '',
  lastName: '',
  dateOfBirth: '',
};

/** Values that were filled in. */
const keepFilled = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

function createSession({ features, firstName, lastName, dateOfBirth, ...fields }: SessionValues) {
  const expected = keepFilled({ firstName, lastName, dateOfBirth });
  const { externalId, workflowId } = fields;
  return identity.createSession({
    ...keepFilled({ externalId, workflowId }),
    ...(features.length === 0 ? {} : { features }),
    ...(Object.keys(expected).length === 0 ? {} : { expected }),
  });
}

function SessionForm({ onCreated }: { onCreated: (session: CreatedSession) => void }) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const workflows = useWorkflowChoices();
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues,
    submit: createSession,
    onDone: async (created) => {
      onCreated(created.session);
      await refresh();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={640}>
        <Failure error={failure} />
        <TextInput
          label={t('externalId')}
          description={t('create.externalIdHint')}
          {...form.getInputProps('externalId')}
        />
        {workflows.length > 0 && (
          <Select
            label={t('details.workflow')}
            data={workflows}
            clearable={form.values.workflowId !== ''}
            {...form.getInputProps('workflowId')}
          />
        )}
        <Checkbox.Group
          label={t('create.features')}
          description={t('create.featuresHint')}
          {...form.getInputProps('features')}
        >
          <Group mt="xs">
            {FEATURES.map((feature) => (
              <Checkbox key={feature} value={feature} label={t(`feature.${feature}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Text fw={600} size="sm">
          {t('create.expected')}
        </Text>
        <FieldGrid cols={{ base: 1, xs: 3 }}>
          <TextInput label={t('fieldNames.firstName')} {...form.getInputProps('firstName')} />
          <TextInput label={t('fieldNames.lastName')} {...form.getInputProps('lastName')} />
          <TextInput label={t('fieldNames.dateOfBirth')} type="date" {...form.getInputProps('dateOfBirth')} />
        </FieldGrid>
        <Button type="submit" loading={isPending}>
          {t('create.action')}
        </Button>
      </Stack>
    </form>
  );
}

/** Creates a session and shows its link to the capture page. */
export default function NewSessionPage() {
  const { t } = useTranslation('sessions');
  const [session, setSession] = useState<CreatedSession | null>(null);
  return (
    <Page title={t('create.title')}>
      {session === null ? (
        <SessionForm onCreated={setSession} />
      ) : (
        <Created session={session} onAgain={() => setSession(null)} />
      )}
    </Page>
  );
}

import { Alert, Button, Card, Checkbox, Code, CopyButton, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toString as renderQr } from 'qrcode';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { useSession } from '../../session';
import { FEATURES, useRefreshSessions } from './session';
import type { Feature } from './session';
import './texts';

type CreatedSession = OperationResponse<'createSession'>['session'];

/** A QR code as an address of a picture; null while it is drawn. */
function useQrCode(text: string): string | null {
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void renderQr(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }).then((svg) => {
      if (isCurrent) setPicture(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return picture;
}

function CaptureLink({ url }: { url: string }) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const picture = useQrCode(url);
  return (
    <Stack>
      <Text size="sm">{t('create.linkHint')}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {url}
      </Code>
      <Group>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {common(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          {t('create.open')}
        </Button>
      </Group>
      {picture !== null && <img src={picture} alt={t('create.qr')} width={220} height={220} />}
    </Stack>
  );
}

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

function useWorkflows(): { value: string; label: string }[] {
  const { data } = useQuery({
    ...identityQuery('listSessionWorkflows', [], (options) => identity.listSessionWorkflows({ limit: 100 }, options)),
    enabled: useSession().identity.has('workflows:read'),
  });
  return (data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

function SessionForm({ onCreated }: { onCreated: (session: CreatedSession) => void }) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const workflows = useWorkflows();
  const { form, onSubmit, isPending, failure } = useApiForm({
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
          <Select label={t('details.workflow')} data={workflows} clearable {...form.getInputProps('workflowId')} />
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
        <Group grow>
          <TextInput label={t('fieldNames.firstName')} {...form.getInputProps('firstName')} />
          <TextInput label={t('fieldNames.lastName')} {...form.getInputProps('lastName')} />
          <TextInput
            label={t('fieldNames.dateOfBirth')}
            placeholder="YYYY-MM-DD"
            {...form.getInputProps('dateOfBirth')}
          />
        </Group>
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

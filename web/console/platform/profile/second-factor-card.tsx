import { Button, Card, Code, Group, Image, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toDataURL } from 'qrcode';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { SecretOnce } from '../../components/secret-once';
import { useApiForm } from '../../components/use-api-form';
import './texts';

type Enrolment = OperationResponse<'beginConsoleSecondFactor'>;

const useReload = () => {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['identity', 'getConsoleSecondFactor'] });
};

function Begin({ onBegun }: { onBegun: (enrolment: Enrolment) => void }) {
  const { t } = useTranslation('profile');
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { currentPassword: '' },
    submit: (values) => identity.beginConsoleSecondFactor(values),
    onDone: onBegun,
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Failure error={failure} />
        <PasswordInput
          label={t('currentPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('currentPassword')}
        />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('setUp')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Confirm({ enrolment, onDone }: { enrolment: Enrolment; onDone: (codes: string[]) => void }) {
  const { t } = useTranslation(['profile', 'common']);
  const { data: picture } = useQuery({
    queryKey: ['qrcode', enrolment.uri],
    queryFn: () => toDataURL(enrolment.uri, { margin: 2, width: 220 }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { code: '' },
    submit: (values) => identity.confirmConsoleSecondFactor(values),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Text>{t('scan')}</Text>
        {picture !== undefined && <Image src={picture} alt={t('qrCode')} w={220} h={220} />}
        <Code block style={{ overflowWrap: 'anywhere' }}>
          {enrolment.secret}
        </Code>
        <Failure error={failure} />
        <TextInput
          label={t('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          {...form.getInputProps('code')}
        />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('common:confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove() {
  const { t } = useTranslation('profile');
  const reload = useReload();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { currentPassword: '', code: '' },
    submit: (values) => identity.removeConsoleSecondFactor(values),
    onDone: reload,
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Failure error={failure} />
        <PasswordInput
          label={t('currentPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('currentPassword')}
        />
        <TextInput label={t('code')} autoComplete="one-time-code" required {...form.getInputProps('code')} />
        <Group justify="end">
          <Button type="submit" variant="default" loading={isPending}>
            {t('remove')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/**
 * The authenticator app of the signed-in user: set up, confirmed by a code, removed.
 *
 * @param onDone called when the user has seen the recovery codes of a new second factor
 */
export function SecondFactorCard({ onDone }: { onDone?: () => Promise<void> }) {
  const { t } = useTranslation('profile');
  const reload = useReload();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { data, error } = useQuery(
    identityQuery('getConsoleSecondFactor', [], (options) => identity.getConsoleSecondFactor(options)),
  );
  const finish = (recoveryCodes: string[]): void => {
    setCodes(recoveryCodes);
    setEnrolment(null);
    void reload();
  };
  const since = data?.enrolledAt ?? null;
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('secondFactor')}
        </Title>
        <Failure error={error} />
        {codes !== null && <SecretOnce hint={t('recoveryHint')} secret={codes.join('\n')} />}
        {codes !== null && onDone !== undefined && (
          <Group justify="end">
            <Button onClick={() => void onDone()}>{t('proceed')}</Button>
          </Group>
        )}
        {since !== null && (
          <>
            <Text size="sm">
              {t('enrolled', { since: formatDate(since), left: String(data?.recoveryCodesLeft ?? 0) })}
            </Text>
            {data?.required === false && <Remove />}
          </>
        )}
        {data !== undefined && since === null && enrolment === null && (
          <>
            <Text size="sm">{t(data.required ? 'secondFactorRequired' : 'secondFactorHint')}</Text>
            <Begin onBegun={setEnrolment} />
          </>
        )}
        {enrolment !== null && <Confirm enrolment={enrolment} onDone={finish} />}
      </Stack>
    </Card>
  );
}

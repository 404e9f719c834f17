import { Alert, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import './texts';
import { useVerification } from './use-verification';
import type { Verification } from './use-verification';

function Result({ state, segment }: Pick<Verification, 'state' | 'segment'>) {
  const { t } = useTranslation('audit');
  if (segment === null || state === 'idle') return null;
  const { valid, brokenAt, sealed, unsealed, signedUpTo, signedAt } = segment;
  if (!valid) {
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {t('broken', { position: formatNumber(brokenAt ?? 0) })}
      </Alert>
    );
  }
  const counted = t('verified', { sealed: formatNumber(sealed), unsealed: formatNumber(unsealed) });
  if (state !== 'done') return <Text role="status">{counted}</Text>;
  return (
    <Alert color="green" icon={<IconShieldCheck aria-hidden />} role="status" title={t('intact')}>
      {counted}{' '}
      {signedUpTo !== null &&
        signedAt !== null &&
        t('signed', { position: formatNumber(signedUpTo), at: formatDateTime(signedAt) })}
    </Alert>
  );
}

/** Proves that no entry of the audit log was changed, moved or removed. */
export function VerificationCard() {
  const { t } = useTranslation(['audit', 'common']);
  const { state, segment, error, start, cancel } = useVerification();
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('verification')}
          </Title>
          {state === 'running' ? (
            <Button variant="default" onClick={cancel}>
              {t('common:cancel')}
            </Button>
          ) : (
            <Button onClick={start}>{t('verify')}</Button>
          )}
        </Group>
        <Text size="sm">{t('verificationHint')}</Text>
        {state === 'running' && <Progress value={100} animated aria-label={t('verifying')} />}
        <Failure error={error} />
        <Result state={state} segment={segment} />
      </Stack>
    </Card>
  );
}

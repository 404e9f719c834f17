import { Anchor, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identityQuery } from '../../../shared/api/identity';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { FailureReason } from '../../components/failure-reason';
import { Page } from '../../components/page';
import { SimpleTable } from '../../components/simple-table';
import { useNotify } from '../../components/use-notify';
import { usePageParam } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { DeliveryBadge } from './badges';
import { useWebhookOperations } from './operations';
import './texts';

type DeliveryDetails = OperationResponse<'getWebhookDelivery'>['delivery'];

const REFRESH_MS = 3000;

/** JSON as it is easiest to read; any other text as it is. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <Code block tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  );
}

function Request({ request }: { request: DeliveryDetails['request'] }) {
  const { t } = useTranslation('webhooks');
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('request')}
        </Title>
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {request.method} {request.url}
        </Text>
        <SimpleTable
          label={t('request')}
          head={[t('header'), t('value')]}
          rows={Object.entries(request.headers).map(([name, value]) => ({ key: name, cells: [name, value] }))}
        />
        <Text size="sm" c="dimmed">
          {t('signatureHint')}
        </Text>
        {request.body === null ? (
          <Text>{t('erasedBody')}</Text>
        ) : (
          <Block label={t('body')} text={formatBody(request.body)} />
        )}
      </Stack>
    </Card>
  );
}

function Attempts({ attempts }: Pick<DeliveryDetails, 'attempts'>) {
  const { t } = useTranslation('webhooks');
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('attempts')}
        </Title>
        {attempts.length === 0 && <Text>{t('noAttempts')}</Text>}
        {[...attempts].reverse().map(({ number, at, durationMs, status, error, response }) => (
          <Stack key={number} gap={4}>
            <Text size="sm">
              <b>{t('attempt', { number })}</b>: {status ?? (error !== null && <FailureReason code={error} />)} ·{' '}
              {formatDateTime(at)} · {formatNumber(durationMs)} ms
            </Text>
            {response !== null && response !== '' && (
              <Block label={t('responseOf', { number })} text={formatBody(response)} />
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}

function Resend({ webhookId, delivery }: { webhookId: string; delivery: DeliveryDetails }) {
  const { t } = useTranslation('webhooks');
  const { operations } = useWebhookOperations();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const resending = useMutation({
    mutationFn: () => operations.resend(webhookId, delivery.id),
    onSuccess: async (created) => {
      notify(t('resent'));
      await queries.invalidateQueries({ queryKey: ['identity', 'listWebhookDeliveries'] });
      await navigate({ to: `/webhooks/${webhookId}/deliveries/${created.id}` });
    },
  });
  return (
    <>
      <Button onClick={() => resending.mutate()} loading={resending.isPending} disabled={delivery.status === 'pending'}>
        {t('resend')}
      </Button>
      <Failure error={resending.error} />
    </>
  );
}

/** One delivery: what was sent, and what the receiver answered each time. */
export default function DeliveryPage() {
  const { t } = useTranslation('webhooks');
  const { operations, mayWrite } = useWebhookOperations();
  const [webhookId, deliveryId] = [usePageParam('webhookId'), usePageParam('deliveryId')];
  const interval = useRefreshInterval(REFRESH_MS);
  const { data, error } = useQuery({
    ...identityQuery('getWebhookDelivery', [webhookId, deliveryId], (options) =>
      operations.readDelivery(webhookId, deliveryId, options),
    ),
    refetchInterval: ({ state }) => (state.data?.delivery.status === 'pending' ? interval : false),
  });
  if (data === undefined) {
    return (
      <Page title={t('delivery')}>
        <Failure error={error} />
      </Page>
    );
  }
  const { delivery } = data;
  return (
    <Page title={delivery.type} actions={mayWrite ? <Resend webhookId={webhookId} delivery={delivery} /> : undefined}>
      <Group gap="xs">
        <DeliveryBadge status={delivery.status} />
        {delivery.reason !== null && (
          <Text size="sm">
            <FailureReason code={delivery.reason} />
          </Text>
        )}
        <Text size="sm">{formatDateTime(delivery.createdAt)}</Text>
        <Anchor component={Link} to={`/webhooks/${webhookId}`} size="sm">
          {t('toWebhook')}
        </Anchor>
      </Group>
      <Request request={delivery.request} />
      <Attempts attempts={delivery.attempts} />
    </Page>
  );
}

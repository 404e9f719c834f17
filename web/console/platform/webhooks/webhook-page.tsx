import { Anchor, Card, Code, Group, Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { FailureReason } from '../../components/failure-reason';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { CursorPager, goToFirst } from '../../components/pager';
import { usePageParam, usePageSearch } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { DELIVERY_STATUSES, DeliveryBadge, WebhookBadge } from './badges';
import type { Delivery, Webhook } from './badges';
import { useWebhookOperations } from './operations';
import './texts';
import { WebhookActions } from './webhook-actions';

const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
const searchSchema = cursorSearch.extend({ status: z.enum(STATUSES).optional().catch(undefined) });
const REFRESH_MS = 5000;

function useColumns(webhookId: string) {
  const { t } = useTranslation('webhooks');
  const column = createColumns<Delivery>();
  return column.columns([
    column.accessor('type', {
      header: t('event'),
      cell: ({ row: { original } }) => (
        <Anchor component={Link} to={`/webhooks/${webhookId}/deliveries/${original.id}`} size="sm">
          {original.type}
        </Anchor>
      ),
    }),
    column.accessor('status', {
      header: t('statusColumn'),
      cell: ({ getValue }) => <DeliveryBadge status={getValue()} />,
    }),
    column.accessor('attempts', {
      header: t('lastAnswer'),
      cell: ({ getValue }) => {
        const last = getValue().at(-1);
        if (last === undefined) return '–';
        return (
          <>
            {last.status ?? (last.error === null ? '–' : <FailureReason code={last.error} />)} (
            {t('attempt', { number: last.number })})
          </>
        );
      },
    }),
    column.accessor('nextAttemptAt', {
      header: t('nextAttempt'),
      cell: ({ getValue }) => {
        const at = getValue();
        return at === null ? '–' : formatDateTime(at);
      },
    }),
    column.accessor('createdAt', { header: t('created'), cell: ({ getValue }) => formatDateTime(getValue()) }),
  ]);
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('webhooks');
  const { operations } = useWebhookOperations();
  const [search, change] = usePageSearch(searchSchema);
  const query = { status: search.status, cursor: search.cursor };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...identityQuery('listWebhookDeliveries', [webhookId, query], (options) =>
      operations.listDeliveries(webhookId, query, options),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: useRefreshInterval(REFRESH_MS),
  });
  const first = { cursor: undefined, skip: undefined };
  return (
    <Stack>
      <Group justify="space-between" align="end">
        <Title order={2} size="h3">
          {t('deliveries')}
        </Title>
        <Select
          label={t('statusColumn')}
          placeholder={t('anyStatus')}
          data={DELIVERY_STATUSES.map((value) => ({ value, label: t(`deliveryStatus.${value}`) }))}
          value={search.status ?? null}
          onChange={(status) => change({ status: STATUSES.find((each) => each === status), ...first })}
          clearable
          clearButtonProps={{ 'aria-label': t('resetStatus') }}
        />
      </Group>
      <Failure error={error} />
      <DataTable
        label={t('deliveries')}
        columns={useColumns(webhookId)}
        rows={data?.deliveries}
        getRowId={({ id }) => id}
        isFetching={isFetching}
        empty={
          <EmptyList
            isFiltered={search.status !== undefined}
            reset={() => change({ status: undefined, ...first })}
            goToFirst={goToFirst({ search, change })}
          >
            <Text>{t('noDeliveries')}</Text>
          </EmptyList>
        }
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.deliveries.length, total: data.total, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </Stack>
  );
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group gap="xs">
          <WebhookBadge webhook={webhook} />
          <Text size="sm">{webhook.description}</Text>
        </Group>
        <Group gap={4}>
          {webhook.events.map((event) => (
            <Code key={event}>{event === '*' ? t('allEvents') : event}</Code>
          ))}
        </Group>
        {webhook.previousSecretsUntil !== null && (
          <Text size="sm">{t('previousSecrets', { until: formatDateTime(webhook.previousSecretsUntil) })}</Text>
        )}
      </Stack>
    </Card>
  );
}

/** One webhook with its deliveries. */
export default function WebhookPage() {
  const { t } = useTranslation('webhooks');
  const { operations, mayWrite } = useWebhookOperations();
  const webhookId = usePageParam('webhookId');
  const { data, error } = useQuery({
    ...identityQuery('getWebhook', [webhookId], (options) => operations.read(webhookId, options)),
    // A receiver that is gone or fails for days disables the webhook.
    refetchInterval: useRefreshInterval(REFRESH_MS),
  });
  if (data === undefined) {
    return (
      <Page title={t('webhook')}>
        <Failure error={error} />
      </Page>
    );
  }
  const { data: webhook } = data;
  return (
    <Page title={webhook.url}>
      {mayWrite && <WebhookActions webhook={webhook} />}
      <WebhookCard webhook={webhook} />
      <Deliveries webhookId={webhookId} />
    </Page>
  );
}

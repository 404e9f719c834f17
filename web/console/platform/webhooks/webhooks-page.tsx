import { Anchor, Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identityQuery } from '../../../shared/api/identity';
import { formatDate } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { CursorPager } from '../../components/pager';
import { SecretOnce } from '../../components/secret-once';
import { usePageSearch } from '../../components/use-page-search';
import { WebhookBadge } from './badges';
import type { Webhook } from './badges';
import { useWebhookOperations } from './operations';
import './texts';
import { WebhookForm } from './webhook-form';

function NewWebhook() {
  const { t } = useTranslation(['webhooks', 'common']);
  const queries = useQueryClient();
  const { operations } = useWebhookOperations();
  const [opened, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const leave = (): void => {
    close();
    setSecret(null);
    void queries.invalidateQueries({ queryKey: ['identity', 'listWebhooks'] });
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {t('newWebhook')}
      </Button>
      <Modal opened={opened} onClose={leave} title={t('newWebhook')} size="lg">
        {secret === null ? (
          <WebhookForm
            edited={null}
            submit={(values) => operations.create(values)}
            onDone={(created) => setSecret(created.secret)}
            action={t('common:create')}
          />
        ) : (
          <SecretOnce hint={t('secretHint')} secret={secret} />
        )}
      </Modal>
    </>
  );
}

function useColumns() {
  const { t } = useTranslation('webhooks');
  const column = createColumns<Webhook>();
  return column.columns([
    column.accessor('url', {
      header: t('url'),
      cell: ({ row: { original } }) => (
        <Anchor component={Link} to={`/webhooks/${original.id}`} size="sm">
          {original.url}
        </Anchor>
      ),
    }),
    column.accessor('status', {
      header: t('statusColumn'),
      cell: ({ row: { original } }) => <WebhookBadge webhook={original} />,
    }),
    column.accessor('events', {
      header: t('eventsLabel'),
      cell: ({ getValue }) => {
        const events = getValue();
        return events.includes('*') ? t('allEvents') : t('eventCount', { count: events.length });
      },
    }),
    column.accessor('description', { header: t('description'), cell: ({ getValue }) => getValue() ?? '–' }),
    column.accessor('createdAt', { header: t('created'), cell: ({ getValue }) => formatDate(getValue()) }),
  ]);
}

/** The webhooks of the mode. */
export default function WebhooksPage() {
  const { t } = useTranslation('webhooks');
  const { operations, mayWrite } = useWebhookOperations();
  const [search, change] = usePageSearch(cursorSearch);
  const query = { cursor: search.cursor };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...identityQuery('listWebhooks', [query], (options) => operations.list(query, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')} actions={mayWrite ? <NewWebhook /> : undefined}>
      <Text>{t('introduction')}</Text>
      <Failure error={error} />
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={data?.webhooks}
        getRowId={({ id }) => id}
        isFetching={isFetching}
        empty={<Text>{t('empty')}</Text>}
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.webhooks.length, total: data.total, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </Page>
  );
}

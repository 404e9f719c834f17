import { Anchor, Button, Group, MultiSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { cursorSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { CursorPager } from '../../components/pager';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { SESSION_STATUSES, StatusBadge } from './status-badge';
import './texts';

type SessionSummary = OperationResponse<'listSessions'>['sessions'][number];

const searchSchema = cursorSearch.extend({ status: textFilter, search: textFilter });

const FIRST_PAGE = { cursor: undefined, skip: undefined };
const SEARCH_DELAY_MS = 300;

function useColumns() {
  const { t } = useTranslation('sessions');
  const column = createColumns<SessionSummary>();
  return column.columns([
    column.accessor('number', {
      header: t('number'),
      cell: ({ row: { original } }) => (
        <Anchor component={Link} to={`/sessions/${original.id}`} size="sm">
          {original.number}
        </Anchor>
      ),
    }),
    column.accessor('status', {
      header: t('statusColumn'),
      cell: ({ getValue }) => <StatusBadge status={getValue()} />,
    }),
    column.accessor('externalId', { header: t('externalId'), cell: ({ getValue }) => getValue() ?? '–' }),
    column.accessor('country', { header: t('country'), cell: ({ getValue }) => getValue() ?? '–' }),
    column.accessor('createdAt', { header: t('createdAt'), cell: ({ getValue }) => formatDateTime(getValue()) }),
    column.accessor('finishedAt', {
      header: t('finishedAt'),
      cell: ({ getValue }) => {
        const finishedAt = getValue();
        return finishedAt === null ? '–' : formatDateTime(finishedAt);
      },
    }),
  ]);
}

interface FiltersProps {
  search: { status?: string | undefined; search?: string | undefined };
  change: (filter: { status?: string; search?: string }) => void;
}

function Filters({ search, change }: FiltersProps) {
  const { t } = useTranslation('sessions');
  const changeText = useDebouncedCallback((text: string) => change({ search: text }), SEARCH_DELAY_MS);
  return (
    <Group align="end">
      <TextInput
        label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={search.search}
        onChange={({ currentTarget }) => changeText(currentTarget.value)}
      />
      <MultiSelect
        label={t('statusColumn')}
        placeholder={search.status === undefined ? t('anyStatus') : ''}
        data={SESSION_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        value={search.status?.split(',') ?? []}
        onChange={(values) => change({ status: values.join(',') })}
        clearable
        miw={220}
      />
    </Group>
  );
}

/** Every verification session, newest first. */
export default function SessionsPage() {
  const { t } = useTranslation('sessions');
  const [search, change] = usePageSearch(searchSchema);
  const { skip: _skip, ...query } = search;
  const mayCreate = useSession().identity.has('sessions:write');
  const { data, error, isFetching } = useQuery({
    ...identityQuery('listSessions', [query], (options) => identity.listSessions(query, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={t('title')}
      actions={
        mayCreate && (
          <Button component={Link} to="/sessions/new">
            {t('new')}
          </Button>
        )
      }
    >
      <Filters search={search} change={(filter) => change({ ...filter, ...FIRST_PAGE })} />
      <Failure error={error} />
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={data?.sessions}
        getRowId={({ id }) => id}
        isFetching={isFetching}
        empty={
          <EmptyList
            isFiltered={search.status !== undefined || search.search !== undefined}
            reset={() => change({ status: undefined, search: undefined, ...FIRST_PAGE })}
          >
            <Text>{t('empty')}</Text>
          </EmptyList>
        }
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.sessions.length, total: data.total, nextCursor: data.nextCursor }}
      />
    </Page>
  );
}

import { Anchor, Button, MultiSelect, Select, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { getCountryName } from '../../components/country-name';
import { CountrySelect } from '../../components/country-select';
import { DateRangeFilter } from '../../components/date-range-filter';
import { createColumns, DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { cursorSearch, textFilter } from '../../components/list-search';
import { getDayStart } from '../../components/local-days';
import { Page } from '../../components/page';
import { CursorPager, goToFirst } from '../../components/pager';
import { SearchInput } from '../../components/search-input';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { SESSION_STATUSES, StatusBadge } from './status-badge';
import { useWorkflowChoices } from './use-workflow-choices';
import './texts';

type SessionSummary = OperationResponse<'listSessions'>['sessions'][number];

const searchSchema = cursorSearch.extend({
  status: textFilter,
  search: textFilter,
  country: textFilter,
  workflowId: textFilter,
  from: textFilter,
  to: textFilter,
  sortDir: z.enum(['asc', 'desc']).optional().catch(undefined),
});

const FIRST_PAGE = { cursor: undefined, skip: undefined };
const FILTERS = ['status', 'search', 'country', 'workflowId', 'from', 'to'] as const;
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

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
    column.accessor('country', {
      header: t('country'),
      cell: ({ getValue }) => {
        const country = getValue();
        return country === null ? '–' : getCountryName(country);
      },
    }),
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

type Search = z.output<typeof searchSchema>;

interface FiltersProps {
  search: Search;
  change: (filter: Partial<Search>, options?: { replace: boolean }) => void;
}

function Filters({ search, change }: FiltersProps) {
  const { t } = useTranslation('sessions');
  const workflows = useWorkflowChoices();
  return (
    <FormRow>
      <SearchInput
        text={search.search}
        type="search"
        label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        onSearch={(text) => change({ search: text }, { replace: true })}
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
      {workflows.length > 0 && (
        <Select
          label={t('details.workflow')}
          placeholder={t('anyWorkflow')}
          data={workflows}
          value={search.workflowId ?? null}
          onChange={(value) => change({ workflowId: value ?? undefined })}
          clearable
        />
      )}
      <CountrySelect
        label={t('country')}
        placeholder={t('anyCountry')}
        value={search.country}
        onChange={(country) => change({ country })}
      />
      <DateRangeFilter
        labels={{ first: t('createdFrom'), last: t('createdTo') }}
        days={{ first: search.from, last: search.to }}
        onDays={({ first, last }) => change({ from: first, to: last })}
      />
    </FormRow>
  );
}

/** Every verification session, newest first unless the user turns the order round. */
export default function SessionsPage() {
  const { t } = useTranslation('sessions');
  const [search, change] = usePageSearch(searchSchema);
  const { skip: _skip, from, to, ...rest } = search;
  // Days of the user, as the figures that lead to this list count them; the API reads plain days as days in UTC.
  const query = {
    ...rest,
    from: from === undefined ? undefined : getDayStart(from),
    to: to === undefined ? undefined : getDayStart(to, 1),
  };
  const mayCreate = useSession().identity.has('sessions:write');
  const { data, error, isFetching, isPlaceholderData } = useQuery({
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
      <Filters search={search} change={(filter, options) => change({ ...filter, ...FIRST_PAGE }, options)} />
      <Failure error={error} />
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={data?.sessions}
        getRowId={({ id }) => id}
        isFetching={isFetching}
        sorting={{
          columns: ['createdAt'],
          by: 'createdAt',
          direction: search.sortDir ?? 'desc',
          change: (_column, sortDir) => change({ sortDir, ...FIRST_PAGE }),
        }}
        empty={
          <EmptyList
            isFiltered={FILTERS.some((name) => search[name] !== undefined)}
            reset={() => change({ ...NO_FILTERS, ...FIRST_PAGE })}
            goToFirst={goToFirst({ search, change })}
          >
            <Text>{t('empty')}</Text>
          </EmptyList>
        }
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.sessions.length, total: data.total, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </Page>
  );
}

import { Code, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business, businessQuery } from '../../../shared/api/business';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { cursorSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { CursorPager, goToFirst, NumberedPager } from '../../components/pager';
import { SearchInput } from '../../components/search-input';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import './texts';
import { VerificationCard } from './verification-card';

interface Entry {
  id: string;
  at: string;
  actor: string;
  actorName: string | null;
  action: string;
  subject: string;
  fields: readonly string[];
  reason: string | null;
}

const FILTERS = ['action', 'subject', 'actor'] as const;
const searchSchema = cursorSearch.extend({
  action: textFilter,
  subject: textFilter,
  actor: textFilter,
  page: z.coerce.number().int().min(1).optional().catch(undefined),
});
type Search = z.output<typeof searchSchema>;

const FIRST_PAGE = { cursor: undefined, skip: undefined, page: undefined };
const NO_FILTER = { action: undefined, subject: undefined, actor: undefined, ...FIRST_PAGE };

/** The log by the business API, whose pages have numbers, else by that of `/v1`. */
function useEntries({ action, subject, actor, cursor, page }: Search) {
  const session = useSession();
  const isNumbered = session.business.has('admin:read');
  const filter = { action, subject, actor };
  const numbered = useQuery({
    ...businessQuery('listAuditLog', [{ ...filter, page }], (options) =>
      business.listAuditLog({ ...filter, page: page ?? 1 }, options),
    ),
    enabled: isNumbered,
    placeholderData: keepPreviousData,
  });
  const byCursor = useQuery({
    ...identityQuery('listAuditLog', [{ ...filter, cursor }], (options) =>
      identity.listAuditLog({ ...filter, cursor }, options),
    ),
    enabled: !isNumbered,
    placeholderData: keepPreviousData,
  });
  return { isNumbered, numbered, byCursor };
}

function useColumns() {
  const { t } = useTranslation('audit');
  const column = createColumns<Entry>();
  return column.columns([
    column.accessor('at', { header: t('at'), cell: ({ getValue }) => formatDateTime(getValue()) }),
    column.accessor('action', { header: t('action'), cell: ({ getValue }) => <Code>{getValue()}</Code> }),
    column.accessor('actor', {
      header: t('actor'),
      cell: ({ row: { original } }) => (
        <Stack gap={0}>
          {original.actorName !== null && <Text size="sm">{original.actorName}</Text>}
          <Text size="xs" ff="monospace">
            {original.actor}
          </Text>
        </Stack>
      ),
    }),
    column.accessor('subject', {
      header: t('subject'),
      cell: ({ getValue }) => (
        <Text size="xs" ff="monospace">
          {getValue()}
        </Text>
      ),
    }),
    column.accessor('fields', { header: t('fields'), cell: ({ getValue }) => getValue().join(', ') || '–' }),
    column.accessor('reason', { header: t('reason'), cell: ({ getValue }) => getValue() ?? '–' }),
  ]);
}

/** Who did what, and the proof that the log is complete. */
export default function AuditPage() {
  const { t } = useTranslation('audit');
  const [search, change] = usePageSearch(searchSchema);
  const { isNumbered, numbered, byCursor } = useEntries(search);
  return (
    <Page title={t('title')}>
      <VerificationCard />
      <FormRow>
        {FILTERS.map((name) => (
          <SearchInput
            key={name}
            text={search[name]}
            label={t(name)}
            placeholder={t(`examples.${name}`)}
            onSearch={(value) => change({ [name]: value.trim(), ...FIRST_PAGE }, { replace: true })}
          />
        ))}
      </FormRow>
      <Failure error={numbered.error ?? byCursor.error} />
      <DataTable<Entry>
        label={t('title')}
        columns={useColumns()}
        rows={isNumbered ? numbered.data?.data : byCursor.data?.entries}
        getRowId={({ id }) => id}
        isFetching={numbered.isFetching || byCursor.isFetching}
        empty={
          <EmptyList
            isFiltered={FILTERS.some((name) => search[name] !== undefined)}
            reset={() => change(NO_FILTER)}
            goToFirst={goToFirst({ search, change })}
          >
            <Text>{t('empty')}</Text>
          </EmptyList>
        }
      />
      {isNumbered ? (
        <NumberedPager page={numbered.data} change={(page) => change({ page })} />
      ) : (
        <CursorPager
          isPlaceholderData={byCursor.isPlaceholderData}
          search={search}
          change={change}
          page={
            byCursor.data && {
              count: byCursor.data.entries.length,
              total: byCursor.data.total,
              nextCursor: byCursor.data.nextCursor,
            }
          }
        />
      )}
    </Page>
  );
}

import { Badge, Button, Progress, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { FailureReason } from '../../components/failure-reason';
import { pageSearch, textFilter } from '../../components/list-search';
import { notifyFailure } from '../../components/notify-failure';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { useSession } from '../../session';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { RED } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';

type ExportSummary = BusinessResponse<'listExports'>['data'][number];

const STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const COLORS = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red', cancelled: 'gray' } as const;
/** Time between two requests for the progress of an export. */
const PROGRESS_MS = 1000;

const isRunning = ({ state }: { state: string }): boolean => state === 'queued' || state === 'running';

const listSearch = pageSearch.extend({ state: textFilter });

/** The state of an export; while it runs, its progress is read again every second. */
function ExportProgress({ summary }: { summary: ExportSummary }) {
  const { t } = useTranslation('exports');
  const queries = useQueryClient();
  const id = String(summary.id);
  const interval = useRefreshInterval(PROGRESS_MS);
  const { data } = useQuery({
    ...businessQuery('getExport', [id], (options) => business.getExport(id, options)),
    enabled: isRunning(summary),
    refetchInterval: ({ state }) => (state.data !== undefined && !isRunning(state.data.data) ? false : interval),
  });
  const current = isRunning(summary) ? (data?.data ?? summary) : summary;
  const hasEnded = isRunning(summary) && !isRunning(current);
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['business', 'listExports'] });
  }, [hasEnded, queries]);
  const { rowsDone, rowsTotal, state } = current;
  const share = rowsTotal === null || rowsTotal === 0 ? 0 : (100 * rowsDone) / rowsTotal;
  return (
    <Stack gap={4} miw={140}>
      <Badge color={COLORS[state]} variant="light">
        {t(`states.${state}`)}
      </Badge>
      {isRunning(current) && <Progress value={share} aria-label={t('progress')} animated />}
      <Text size="xs" c="dimmed">
        {rowsTotal === null
          ? t('rows', { count: rowsDone, done: formatNumber(rowsDone) })
          : t('rowsOf', { done: formatNumber(rowsDone), total: formatNumber(rowsTotal) })}
      </Text>
    </Stack>
  );
}

/** What can be done with an export: cancel it while it runs, download the file afterwards. */
function ExportActions({ summary }: { summary: ExportSummary }) {
  const { t } = useTranslation('exports');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => business.cancelExport(String(summary.id)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['business'] }),
    onError: notifyFailure,
  });
  const download = useMutation({
    mutationFn: async () => (await business.getExport(String(summary.id))).data.download,
    onSuccess: (link) => {
      if (link === null) return;
      const { pathname, search } = new URL(link.url);
      window.location.assign(`${pathname}${search}`);
    },
    onError: notifyFailure,
  });
  if (isRunning(summary))
    return permissions.has('exports:create') ? (
      <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('cancel')}
      </Button>
    ) : null;
  if (summary.state === 'completed')
    return (
      <Button size="xs" variant="light" loading={download.isPending} onClick={() => download.mutate()}>
        {t('download')}
      </Button>
    );
  return summary.failure === null ? null : (
    <Text size="xs" c={RED}>
      <FailureReason code={summary.failure} />
      {summary.failureMessage !== null && `: ${summary.failureMessage}`}
    </Text>
  );
}

const column = defineColumns<ExportSummary>();
const numberColumn = defineNumberColumns<ExportSummary>();

function useColumns() {
  const { t } = useTranslation('exports');
  return [
    column('resource', t('list'), ({ resource }) => t(`resources.${resource}`)),
    column('format', t('format'), ({ format }) => t(`formats.${format}`)),
    column('state', t('state'), (summary) => <ExportProgress summary={summary} />),
    column('createdAt', t('createdAt'), ({ createdAt }) => formatDateTime(createdAt)),
    numberColumn('sizeBytes', t('size'), ({ sizeBytes }) =>
      sizeBytes === null
        ? '–'
        : formatNumber(sizeBytes / 1000, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }),
    ),
    column('actions', t('actions'), (summary) => <ExportActions summary={summary} />),
  ];
}

/** The exports of every list that the user may read, with the progress of those that run. */
export default function ExportListPage() {
  const { t } = useTranslation('exports');
  const [search, change] = usePageSearch(listSearch);
  const state = oneOf(STATES, search.state);
  const query = { page: search.page, state: state === undefined ? undefined : [state] };
  return (
    <Page title={t('title')}>
      <RecordList
        label={t('title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listExports"
        parameters={[query]}
        read={(options) => business.listExports(query, options)}
        position={search}
        change={change}
        isSearchable={false}
        isFiltered={state !== undefined}
        resetFilters={() => change({ state: undefined, search: undefined, page: 1 })}
        filters={
          <Select
            label={t('state')}
            placeholder={t('anyState')}
            clearable
            data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            value={state ?? null}
            onChange={(value) => change({ state: value ?? undefined, page: 1 })}
          />
        }
        empty={<Text maw={480}>{t('empty')}</Text>}
      />
    </Page>
  );
}

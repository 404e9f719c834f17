import { Anchor, Button, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { useConfirm } from '../../components/use-confirm';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { AmlTabs } from './aml-tabs';
import { ScreenForm } from './screen-form';
import './texts';

type Monitor = OperationResponse<'listAmlMonitors'>['monitors'][number];

function EndButton({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('aml');
  const queries = useQueryClient();
  const confirm = useConfirm();
  const end = useMutation({
    mutationFn: () => identity.deleteAmlMonitor(monitor.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['identity', 'listAmlMonitors'] }),
  });
  const ask = (): void =>
    confirm({ title: t('end'), text: t('endHint'), action: t('end'), onConfirm: () => end.mutate() });
  return (
    <>
      <Button size="compact-xs" variant="default" loading={end.isPending} onClick={ask}>
        {t('end')}
      </Button>
      <Failure error={end.error} />
    </>
  );
}

function useColumns() {
  const { t } = useTranslation('aml');
  const { t: common } = useTranslation('common');
  const mayScreen = useSession().identity.has('aml:screen');
  const column = createColumns<Monitor>();
  return column.columns([
    column.accessor('createdAt', { header: t('createdAt'), cell: ({ getValue }) => formatDateTime(getValue()) }),
    column.accessor('lastScreenedAt', {
      header: t('lastScreened'),
      cell: ({ row: { original } }) =>
        original.lastScreeningId === null ? (
          formatDateTime(original.lastScreenedAt)
        ) : (
          <Anchor component={Link} to={`/aml/screenings/${original.lastScreeningId}`} size="sm">
            {formatDateTime(original.lastScreenedAt)}
          </Anchor>
        ),
    }),
    column.accessor('alerts', {
      header: t('alerts'),
      meta: { isNumber: true },
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    ...(mayScreen
      ? [
          column.display({
            id: 'end',
            header: common('actions'),
            cell: ({ row }) => <EndButton monitor={row.original} />,
          }),
        ]
      : []),
  ]);
}

/** Subjects that are screened again whenever a relevant entry of a list changes. */
export default function MonitorsPage() {
  const { t } = useTranslation('aml');
  const [search, change] = usePageSearch(cursorSearch);
  const mayScreen = useSession().identity.has('aml:screen');
  const request = search.cursor === undefined ? {} : { cursor: search.cursor };
  const query = useQuery({
    ...identityQuery('listAmlMonitors', [request], (options) => identity.listAmlMonitors(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('monitors')}>
      <AmlTabs />
      {mayScreen && <ScreenForm title={t('newMonitor')} monitoring />}
      <CursorList
        label={t('monitors')}
        query={query}
        readRows={({ monitors }) => monitors}
        columns={useColumns()}
        getRowId={({ id }) => id}
        search={search}
        change={change}
      >
        <Text>{t('monitorsEmpty')}</Text>
      </CursorList>
    </Page>
  );
}

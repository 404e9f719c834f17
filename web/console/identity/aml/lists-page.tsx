import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { LongId } from '../../components/long-id';
import { Page } from '../../components/page';
import { AmlTabs } from './aml-tabs';
import './texts';
import { useListName } from './use-list-name';

type AmlList = OperationResponse<'listAmlLists'>['lists'][number];

function readState({ loaded, stale, heldVersion }: AmlList): 'notLoaded' | 'held' | 'stale' | 'current' {
  if (!loaded) return 'notLoaded';
  if (heldVersion !== null) return 'held';
  return stale ? 'stale' : 'current';
}

function useColumns() {
  const { t } = useTranslation('aml');
  const getListName = useListName();
  const column = createColumns<AmlList>();
  return column.columns([
    column.accessor('title', {
      header: t('list'),
      cell: ({ row: { original } }) => <span title={original.code}>{getListName(original.code, original.title)}</span>,
    }),
    column.display({ id: 'state', header: t('state'), cell: ({ row }) => t(`states.${readState(row.original)}`) }),
    column.accessor('version', {
      header: t('version'),
      cell: ({ getValue }) => {
        const version = getValue();
        return version === null ? '–' : <LongId id={version.id} />;
      },
    }),
    column.display({
      id: 'importedAt',
      header: t('importedAt'),
      cell: ({ row: { original } }) => (original.version === null ? '–' : formatDateTime(original.version.importedAt)),
    }),
    column.display({
      id: 'entries',
      header: t('entries'),
      meta: { isNumber: true },
      cell: ({ row: { original } }) =>
        original.version === null ? '–' : formatNumber(original.version.counts.entries),
    }),
    column.display({
      id: 'changes',
      header: t('changes'),
      cell: ({ row: { original } }) => {
        if (original.version === null) return '–';
        const { added, changed, removed } = original.version.differences;
        return [added, changed, removed].map((count) => formatNumber(count)).join(', ');
      },
    }),
  ]);
}

/** The watch lists of this installation with the version that is searched. */
export default function ListsPage() {
  const { t } = useTranslation('aml');
  const { data, error, isFetching } = useQuery(
    identityQuery('listAmlLists', [], (options) => identity.listAmlLists(options)),
  );
  return (
    <Page title={t('lists')}>
      <AmlTabs />
      <Failure error={error} />
      <DataTable
        label={t('lists')}
        columns={useColumns()}
        rows={data?.lists}
        getRowId={({ code }) => code}
        isFetching={isFetching}
        empty={<Text>{t('listsEmpty')}</Text>}
      />
    </Page>
  );
}

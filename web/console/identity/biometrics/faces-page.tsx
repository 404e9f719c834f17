import { Anchor, Button, Select, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { cursorSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { useConfirm } from '../../components/use-confirm';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { FaceForm } from './face-form';
import { FaceSearch } from './face-search';
import './texts';

type IndexedFace = OperationResponse<'listFaces'>['faces'][number];

const LISTS: readonly IndexedFace['list'][] = ['users', 'blocklist'];
const FIRST_PAGE = { cursor: undefined, skip: undefined };

const searchSchema = cursorSearch.extend({ list: textFilter });

function RemoveButton({ face }: { face: IndexedFace }) {
  const { t } = useTranslation('faces');
  const queries = useQueryClient();
  const confirm = useConfirm();
  const remove = useMutation({
    mutationFn: () => identity.deleteFace(face.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['identity', 'listFaces'] }),
  });
  const ask = (): void =>
    confirm({ title: t('remove'), text: t('removeHint'), action: t('remove'), onConfirm: () => remove.mutate() });
  return (
    <>
      <Button size="compact-xs" variant="default" loading={remove.isPending} onClick={ask}>
        {t('remove')}
      </Button>
      <Failure error={remove.error} />
    </>
  );
}

function useColumns() {
  const { t } = useTranslation('faces');
  const { t: common } = useTranslation('common');
  const mayWrite = useSession().identity.has('faces:write');
  const column = createColumns<IndexedFace>();
  return column.columns([
    column.accessor('name', {
      header: t('name'),
      cell: ({ row: { original } }) => original.name ?? original.externalId ?? original.id,
    }),
    column.accessor('list', { header: t('list'), cell: ({ getValue }) => t(`lists.${getValue()}`) }),
    column.accessor('status', { header: t('status'), cell: ({ getValue }) => t(`faceStatus.${getValue()}`) }),
    column.accessor('sessionId', {
      header: t('session'),
      cell: ({ getValue }) => {
        const id = getValue();
        if (id === null) return '–';
        return (
          <Anchor component={Link} to={`/sessions/${id}`} size="sm">
            {id.slice(-6)}
          </Anchor>
        );
      },
    }),
    column.accessor('createdAt', { header: t('createdAt'), cell: ({ getValue }) => formatDateTime(getValue()) }),
    ...(mayWrite
      ? [
          column.display({
            id: 'remove',
            header: common('actions'),
            cell: ({ row }) => <RemoveButton face={row.original} />,
          }),
        ]
      : []),
  ]);
}

/** Search by a picture, and the faces that are searched. */
export default function FacesPage() {
  const { t } = useTranslation('faces');
  const [search, change] = usePageSearch(searchSchema);
  const mayWrite = useSession().identity.has('faces:write');
  const list = LISTS.find((each) => each === search.list);
  const request = {
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    ...(list === undefined ? {} : { list }),
  };
  const query = useQuery({
    ...identityQuery('listFaces', [request], (options) => identity.listFaces(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')}>
      <FaceSearch />
      {mayWrite && <FaceForm />}
      <Select
        label={t('list')}
        placeholder={t('anyList')}
        data={LISTS.map((value) => ({ value, label: t(`lists.${value}`) }))}
        value={list ?? null}
        onChange={(value) => change({ list: value ?? undefined, ...FIRST_PAGE })}
        clearable
        maw={260}
      />
      <CursorList
        label={t('index')}
        query={query}
        readRows={({ faces }) => faces}
        columns={useColumns()}
        getRowId={({ id }) => id}
        search={search}
        change={change}
        isFiltered={list !== undefined}
        resetFilters={() => change({ list: undefined, ...FIRST_PAGE })}
      >
        <Text>{t('empty')}</Text>
      </CursorList>
    </Page>
  );
}

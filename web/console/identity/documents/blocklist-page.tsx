import { Button, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { getCountryName } from '../../components/country-name';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { useConfirm } from '../../components/use-confirm';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { Section } from '../sessions/section';
import './texts';

type BlockedDocument = OperationResponse<'listBlockedDocuments'>['documents'][number];

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['identity', 'listBlockedDocuments'] });
}

function RemoveButton({ blocked }: { blocked: BlockedDocument }) {
  const { t } = useTranslation('blocklist');
  const confirm = useConfirm();
  const remove = useMutation({
    mutationFn: () => identity.unblockDocument(blocked.id),
    onSuccess: useRefresh(),
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
  const { t } = useTranslation('blocklist');
  const { t: common } = useTranslation('common');
  const mayWrite = useSession().identity.has('blocklist:write');
  const column = createColumns<BlockedDocument>();
  return column.columns([
    column.accessor('hint', { header: t('number') }),
    column.accessor('issuingState', { header: t('state'), cell: ({ getValue }) => getCountryName(getValue()) }),
    column.accessor('reason', { header: t('reason'), cell: ({ getValue }) => getValue() ?? '–' }),
    column.accessor('createdAt', { header: t('createdAt'), cell: ({ getValue }) => formatDateTime(getValue()) }),
    ...(mayWrite
      ? [
          column.display({
            id: 'remove',
            header: common('actions'),
            cell: ({ row }) => <RemoveButton blocked={row.original} />,
          }),
        ]
      : []),
  ]);
}

function BlockForm() {
  const { t } = useTranslation('blocklist');
  const refresh = useRefresh();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { documentNumber: '', issuingState: '', reason: '' },
    submit: ({ reason, ...values }) => identity.blockDocument({ ...values, ...(reason === '' ? {} : { reason }) }),
    onDone: async () => {
      form.reset();
      await refresh();
    },
  });
  return (
    <Section title={t('add')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          <Text size="sm">{t('hint')}</Text>
          <FormRow>
            <TextInput label={t('number')} required {...form.getInputProps('documentNumber')} />
            <TextInput label={t('state')} placeholder="FRA" required {...form.getInputProps('issuingState')} />
            <TextInput label={t('reason')} {...form.getInputProps('reason')} />
            <Button type="submit" loading={isPending}>
              {t('add')}
            </Button>
          </FormRow>
        </Stack>
      </form>
    </Section>
  );
}

/** Documents that are declined wherever they are submitted. */
export default function BlocklistPage() {
  const { t } = useTranslation('blocklist');
  const [search, change] = usePageSearch(cursorSearch);
  const mayWrite = useSession().identity.has('blocklist:write');
  const request = search.cursor === undefined ? {} : { cursor: search.cursor };
  const query = useQuery({
    ...identityQuery('listBlockedDocuments', [request], (options) => identity.listBlockedDocuments(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')}>
      {mayWrite && <BlockForm />}
      <CursorList
        label={t('title')}
        query={query}
        readRows={({ documents }) => documents}
        columns={useColumns()}
        getRowId={({ id }) => id}
        search={search}
        change={change}
      >
        <Text>{t('empty')}</Text>
      </CursorList>
    </Page>
  );
}

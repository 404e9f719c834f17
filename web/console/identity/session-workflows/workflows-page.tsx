import { Anchor, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import './texts';

type Workflow = OperationResponse<'listSessionWorkflows'>['workflows'][number];

function useColumns() {
  const { t } = useTranslation('session-workflows');
  const column = createColumns<Workflow>();
  return column.columns([
    column.accessor('name', {
      header: t('name'),
      cell: ({ row: { original } }) => (
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} to={`/session-workflows/${original.id}`} size="sm">
            {original.name}
          </Anchor>
          {original.isDefault && (
            <Badge variant="light" tt="none">
              {t('default')}
            </Badge>
          )}
        </Group>
      ),
    }),
    column.accessor('version', {
      header: t('version'),
      meta: { isNumber: true },
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    column.accessor('rules', {
      header: t('rules'),
      meta: { isNumber: true },
      cell: ({ getValue }) => formatNumber(getValue().length),
    }),
    column.accessor('versionedAt', { header: t('changed'), cell: ({ getValue }) => formatDateTime(getValue()) }),
  ]);
}

function CreateForm() {
  const { t } = useTranslation('session-workflows');
  const navigate = useNavigate();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { name: '' },
    submit: (values) => identity.createSessionWorkflow(values),
    onDone: ({ workflow }) => navigate({ to: `/session-workflows/${workflow.id}` }),
  });
  return (
    <form onSubmit={onSubmit}>
      <Failure error={failure} />
      <FormRow>
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <Button type="submit" loading={isPending}>
          {t('create')}
        </Button>
      </FormRow>
    </form>
  );
}

/** Common definitions of sessions: thresholds and rules. */
export default function WorkflowsPage() {
  const { t } = useTranslation('session-workflows');
  const [search, change] = usePageSearch(cursorSearch);
  const mayWrite = useSession().identity.has('workflows:write');
  const request = search.cursor === undefined ? {} : { cursor: search.cursor };
  const query = useQuery({
    ...identityQuery('listSessionWorkflows', [request], (options) => identity.listSessionWorkflows(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')}>
      {mayWrite && <CreateForm />}
      <CursorList
        label={t('title')}
        query={query}
        readRows={({ workflows }) => workflows}
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

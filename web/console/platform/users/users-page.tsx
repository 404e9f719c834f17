import { Anchor, Badge, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { createColumns, DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { pageSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { NumberedPager } from '../../components/pager';
import { SearchInput } from '../../components/search-input';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { NewUser } from './new-user';
import type { User } from './roles';
import { SignInPolicy } from './sign-in-policy';
import './texts';
import { UserDialog } from './user-dialog';

const ACTIVE = ['true', 'false', 'all'] as const;
const searchSchema = pageSearch.extend({
  active: z.coerce.string().pipe(z.enum(ACTIVE)).catch('true'),
  user: z.coerce.number().int().optional().catch(undefined),
});
const SORTED = ['name', 'email', 'createdAt'] as const;

function useColumns(open: (id: number) => void) {
  const { t } = useTranslation('users');
  const column = createColumns<User>();
  return column.columns([
    column.accessor('name', {
      header: t('name'),
      cell: ({ row: { original } }) => (
        <Anchor component="button" type="button" size="sm" onClick={() => open(original.id)}>
          {original.name}
        </Anchor>
      ),
    }),
    column.accessor('email', { header: t('email') }),
    column.accessor('identityRole', {
      header: t('identityRole'),
      cell: ({ getValue }) => {
        const role = getValue();
        return role === null ? '–' : t(`identityRoles.${role}`);
      },
    }),
    column.accessor('role', {
      header: t('businessRole'),
      cell: ({ getValue }) => {
        const role = getValue();
        return role === null ? '–' : t(`businessRoles.${role}`);
      },
    }),
    column.accessor('active', {
      header: t('status'),
      cell: ({ getValue }) => (
        <Badge color={getValue() ? 'green' : 'gray'} variant="outline" c="var(--mantine-color-text)" tt="none">
          {t(getValue() ? 'active' : 'inactive')}
        </Badge>
      ),
    }),
    column.accessor('createdAt', { header: t('created'), cell: ({ getValue }) => formatDate(getValue()) }),
  ]);
}

/** The people of the organisation and their roles in both products. */
export default function UsersPage() {
  const { t } = useTranslation('users');
  const mayUpdate = useSession().business.has('admin:update');
  const [search, change] = usePageSearch(searchSchema);
  const { user: opened, ...listed } = search;
  const query = { ...listed, sortBy: SORTED.find((each) => each === listed.sortBy) };
  const { data, error, isFetching } = useQuery({
    ...businessQuery('listUsers', [query], (options) => business.listUsers(query, options)),
    placeholderData: keepPreviousData,
  });
  const shown = data?.data.find(({ id }) => id === opened);
  return (
    <Page title={t('title')} actions={mayUpdate ? <NewUser /> : undefined}>
      <SignInPolicy />
      <FormRow>
        <SearchInput
          text={search.search}
          label={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          onSearch={(text) => change({ search: text, page: 1 }, { replace: true })}
        />
        <Stack gap={4}>
          <Text size="sm" fw={600} component="span" aria-hidden>
            {t('status')}
          </Text>
          <SegmentedControl
            aria-label={t('status')}
            value={search.active}
            onChange={(value) => change({ active: ACTIVE.find((each) => each === value) ?? 'true', page: 1 })}
            data={ACTIVE.map((value) => ({ value, label: t(`filter.${value}`) }))}
          />
        </Stack>
      </FormRow>
      <Failure error={error} />
      <DataTable
        label={t('title')}
        columns={useColumns((id) => change({ user: id }))}
        rows={data?.data}
        getRowId={({ id }) => String(id)}
        isFetching={isFetching}
        sorting={{
          columns: SORTED,
          by: search.sortBy,
          direction: search.sortDir,
          change: (sortBy, sortDir) => change({ sortBy, sortDir, page: 1 }),
        }}
        empty={
          <EmptyList isFiltered reset={() => change({ search: undefined, active: 'all', page: 1 })}>
            <Text>{t('title')}</Text>
          </EmptyList>
        }
      />
      <NumberedPager page={data} change={(page) => change({ page })} />
      {shown !== undefined && (
        <UserDialog key={shown.id} user={shown} close={() => change({ user: undefined }, { replace: true })} />
      )}
    </Page>
  );
}

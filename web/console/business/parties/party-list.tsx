import { Anchor, Badge, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getCountryName } from '../../components/country-name';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { ExportButton } from '../exports/export-button';
import { defineColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { ACTIVITY } from '../records/lookups';
import { oneOf, RecordList } from '../records/record-list';
import type { Party, PartyKind } from './party-kind';

const SORTS = ['name', 'createdAt'] as const;

const listSearch = pageSearch.extend({ active: textFilter });

const column = defineColumns<Party>();

function useColumns(kind: PartyKind) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  return [
    column('name', t('name'), ({ id, name }) => (
      <Anchor component={Link} to={`${kind.path}/${id}`} size="sm">
        {name}
      </Anchor>
    )),
    column('code', t('code'), ({ code }) => code),
    column('email', t('email'), ({ email }) => email ?? '–'),
    column(
      'city',
      common('address.city'),
      ({ address: { city, country } }) => [city, country && getCountryName(country)].filter(Boolean).join(', ') || '–',
    ),
    column('active', common('activity.label'), ({ active }) => (
      <Badge variant="light" color={active ? 'green' : 'gray'}>
        {common(active ? 'activity.true' : 'activity.false')}
      </Badge>
    )),
  ];
}

/** The customers or vendors of the company. */
export function PartyList({ kind }: { kind: PartyKind }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const [position, change] = usePageSearch(listSearch);
  const { page, search, sortDir } = position;
  const active = oneOf(ACTIVITY, position.active);
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active };
  const createButton = (
    <CreateButton permission={kind.permissions.create} to={`${kind.path}/new`} label={t(`${kind.name}.new`)} />
  );
  return (
    <Page
      title={t(`${kind.name}.title`)}
      actions={
        <>
          <ExportButton resource={kind.resource} filters={{ search, active }} />
          {createButton}
        </>
      }
    >
      <RecordList
        label={t(`${kind.name}.title`)}
        columns={useColumns(kind)}
        getRowId={({ id }) => String(id)}
        operation={kind.operations.list}
        parameters={[query]}
        read={(options) => kind.list(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isFiltered={active !== undefined}
        resetFilters={() => change({ active: undefined, search: undefined, page: 1 })}
        filters={
          <Select
            label={common('activity.label')}
            data={ACTIVITY.map((value) => ({ value, label: common(`activity.${value}`) }))}
            value={active ?? 'true'}
            allowDeselect={false}
            onChange={(value) => change({ active: value === 'true' ? undefined : (value ?? undefined), page: 1 })}
          />
        }
        empty={
          <>
            <Text maw={480}>{t(`${kind.name}.empty`)}</Text>
            {createButton}
          </>
        }
      />
    </Page>
  );
}

import { Anchor, Checkbox, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime, formatNumber } from '../../../shared/format';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { cursorSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { AmlTabs } from './aml-tabs';
import { ScreenForm } from './screen-form';
import './texts';

type Summary = OperationResponse<'listAmlScreenings'>['screenings'][number];

const searchSchema = cursorSearch.extend({ match: textFilter });
const FIRST_PAGE = { cursor: undefined, skip: undefined };

function useColumns() {
  const { t } = useTranslation('aml');
  const column = createColumns<Summary>();
  return column.columns([
    column.accessor('createdAt', {
      header: t('createdAt'),
      cell: ({ row: { original } }) => (
        <Anchor component={Link} to={`/aml/screenings/${original.id}`} size="sm">
          {formatDateTime(original.createdAt)}
        </Anchor>
      ),
    }),
    column.accessor('origin', { header: t('origin'), cell: ({ getValue }) => t(`origins.${getValue()}`) }),
    column.accessor('status', { header: t('status'), cell: ({ getValue }) => t(`statuses.${getValue()}`) }),
    column.accessor('match', {
      header: t('match'),
      cell: ({ getValue }) => {
        const match = getValue();
        return match === null ? '–' : t(match ? 'yes' : 'no');
      },
    }),
    column.accessor('score', {
      header: t('score'),
      meta: { isNumber: true },
      cell: ({ getValue }) => {
        const score = getValue();
        return score === null ? '–' : formatNumber(score, { maximumFractionDigits: 0 });
      },
    }),
    column.accessor('hitCount', {
      header: t('hits'),
      meta: { isNumber: true },
      cell: ({ getValue }) => {
        const count = getValue();
        return count === null ? '–' : formatNumber(count);
      },
    }),
  ]);
}

/** Screenings of names against watch lists, newest first. The lists name no subjects: those are personal data. */
export default function ScreeningsPage() {
  const { t } = useTranslation('aml');
  const [search, change] = usePageSearch(searchSchema);
  const mayScreen = useSession().identity.has('aml:screen');
  const request = {
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    ...(search.match === 'true' ? { match: true } : {}),
  };
  const query = useQuery({
    ...identityQuery('listAmlScreenings', [request], (options) => identity.listAmlScreenings(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('screenings')}>
      <AmlTabs />
      {mayScreen && <ScreenForm title={t('screen')} />}
      <Checkbox
        label={t('matchesOnly')}
        checked={search.match === 'true'}
        onChange={({ currentTarget }) => change({ match: currentTarget.checked ? 'true' : undefined, ...FIRST_PAGE })}
      />
      <CursorList
        label={t('screenings')}
        query={query}
        readRows={({ screenings }) => screenings}
        columns={useColumns()}
        getRowId={({ id }) => id}
        search={search}
        change={change}
        isFiltered={search.match !== undefined}
        resetFilters={() => change({ match: undefined, ...FIRST_PAGE })}
      >
        <Text>{t('empty')}</Text>
      </CursorList>
    </Page>
  );
}

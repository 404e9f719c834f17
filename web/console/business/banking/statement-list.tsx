import { Anchor, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate, formatNumber } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { DaysFilter } from '../accounting/days-filter';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { ImportButton } from './banking-actions';

type Statement = BusinessResponse<'listBankStatements'>['data'][number];

const SORTS = ['dateTo'] as const;

const listSearch = pageSearch.extend({ dateFrom: textFilter, dateTo: textFilter });

const column = defineColumns<Statement>();
const numberColumn = defineNumberColumns<Statement>();

function useColumns() {
  const { t } = useTranslation('banking');
  const navigate = useNavigate();
  return [
    column('dateTo', t('days'), ({ id, dateFrom, dateTo }) => (
      <Anchor
        component="button"
        size="sm"
        onClick={() => void navigate({ to: '/banking', search: { statementId: String(id) } })}
      >
        {`${formatDate(dateFrom)} – ${formatDate(dateTo)}`}
      </Anchor>
    )),
    column('number', t('number'), ({ number }) => number ?? '–'),
    column('account', t('account'), ({ account }) => account ?? '–'),
    column('format', t('format'), ({ format }) => t(`formats.${format}`)),
    numberColumn('transactionCount', t('transactions'), ({ transactionCount, importedCount }) =>
      t('imported', { imported: formatNumber(importedCount), total: formatNumber(transactionCount) }),
    ),
    numberColumn('closingBalance', t('closingBalance'), ({ closingBalance, currencyCode }) => (
      <Money amount={closingBalance} currency={currencyCode} />
    )),
  ];
}

/** The bank statements that were imported. */
export default function StatementListPage() {
  const { t } = useTranslation('banking');
  const [search, change] = usePageSearch(listSearch);
  const { page, dateFrom, dateTo, sortDir } = search;
  const query = { page, dateFrom, dateTo, sortDir, sortBy: oneOf(SORTS, search.sortBy) };
  return (
    <Page title={t('statements')} actions={<ImportButton />}>
      <RecordList
        label={t('statements')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listBankStatements"
        parameters={[query]}
        read={(options) => business.listBankStatements(query, options)}
        position={search}
        change={change}
        sortable={SORTS}
        isSearchable={false}
        isFiltered={dateFrom !== undefined || dateTo !== undefined}
        resetFilters={() => change({ dateFrom: undefined, dateTo: undefined, page: 1 })}
        filters={<DaysFilter days={{ dateFrom, dateTo }} change={(days) => change({ ...days, page: 1 })} />}
        empty={
          <>
            <Text maw={480}>{t('empty')}</Text>
            <ImportButton />
          </>
        }
      />
    </Page>
  );
}

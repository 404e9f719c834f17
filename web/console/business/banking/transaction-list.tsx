import { Anchor, Button, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { DaysFilter } from '../accounting/days-filter';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { ImportButton } from './banking-actions';
import { STATES, TransactionState } from './transaction';
import type { BankTransaction } from './transaction';

const SORTS = ['bookingDate'] as const;
const SHORT_TEXT = 60;

const listSearch = pageSearch.extend({
  state: textFilter,
  dateFrom: textFilter,
  dateTo: textFilter,
  statementId: textFilter,
});

const column = defineColumns<BankTransaction>();
const numberColumn = defineNumberColumns<BankTransaction>();

function useColumns() {
  const { t } = useTranslation('banking');
  return [
    column('bookingDate', t('bookingDate'), ({ id, bookingDate }) => (
      <Anchor component={Link} to={`/banking/transactions/${id}`} size="sm">
        {formatDate(bookingDate)}
      </Anchor>
    )),
    column('counterpartyName', t('counterparty'), ({ counterpartyName }) => counterpartyName ?? '–'),
    column('remittance', t('remittance'), ({ remittance }) => (
      <Text size="sm" title={remittance}>
        {remittance.length > SHORT_TEXT ? `${remittance.slice(0, SHORT_TEXT)} …` : remittance}
      </Text>
    )),
    numberColumn('amount', t('amount'), ({ amount, currencyCode }) => (
      <Money amount={amount} currency={currencyCode} />
    )),
    column('state', t('state'), ({ state }) => <TransactionState state={state} />),
  ];
}

type Search = z.output<typeof listSearch>;

const NO_FILTERS = {
  state: undefined,
  dateFrom: undefined,
  dateTo: undefined,
  statementId: undefined,
  search: undefined,
  page: 1,
};

function Filters({ search, change }: { search: Search; change: (part: Partial<Search>) => void }) {
  const { t } = useTranslation('banking');
  const { dateFrom, dateTo } = search;
  return (
    <>
      <Select
        label={t('state')}
        placeholder={t('anyState')}
        clearable
        data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
        value={oneOf(STATES, search.state) ?? null}
        onChange={(state) => change({ state: state ?? undefined, page: 1 })}
      />
      <DaysFilter days={{ dateFrom, dateTo }} change={(days) => change({ ...days, page: 1 })} />
    </>
  );
}

/** Transactions of the bank accounts, newest first. */
export default function TransactionListPage() {
  const { t } = useTranslation('banking');
  const [search, change] = usePageSearch(listSearch);
  const state = oneOf(STATES, search.state);
  const { page, dateFrom, dateTo, statementId, sortDir } = search;
  const query = {
    page,
    dateFrom,
    dateTo,
    sortDir,
    search: search.search,
    sortBy: oneOf(SORTS, search.sortBy),
    statementId: Number(statementId) > 0 ? [Number(statementId)] : undefined,
    state: state && [state],
  };
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Button variant="default" component={Link} to="/banking/statements">
            {t('statements')}
          </Button>
          <ImportButton />
        </>
      }
    >
      <RecordList
        label={t('transactions')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listBankTransactions"
        parameters={[query]}
        read={(options) => business.listBankTransactions(query, options)}
        position={search}
        change={change}
        sortable={SORTS}
        isFiltered={[state, dateFrom, dateTo, statementId].some((value) => value !== undefined)}
        resetFilters={() => change(NO_FILTERS)}
        filters={<Filters search={search} change={change} />}
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

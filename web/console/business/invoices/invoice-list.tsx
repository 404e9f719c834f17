import { Anchor, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import type { z } from 'zod';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { DateRangeFilter } from '../../components/date-range-filter';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { ExportButton } from '../exports/export-button';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { CUSTOMERS, RecordSelect } from '../records/record-select';
import { InvoiceStatus } from './invoice-status';

type InvoiceSummary = BusinessResponse<'listInvoices'>['data'][number];

const STATUSES = ['draft', 'issued', 'partially_paid', 'overdue', 'paid', 'credited', 'void'] as const;
const SORTS = ['number', 'issueDate', 'dueDate', 'grandTotal'] as const;

const listSearch = pageSearch.extend({
  status: textFilter,
  customerId: textFilter,
  dateFrom: textFilter,
  dateTo: textFilter,
});

const column = defineColumns<InvoiceSummary>();
const numberColumn = defineNumberColumns<InvoiceSummary>();

function useColumns() {
  const { t } = useTranslation('invoices');
  return [
    column('number', t('number'), ({ id, number }) => (
      <Anchor component={Link} to={`/invoices/${id}`} size="sm">
        {number ?? t('draftNumber', { id })}
      </Anchor>
    )),
    column('customerName', t('customer'), ({ customerName }) => customerName),
    column('issueDate', t('issueDate'), ({ issueDate }) => formatDate(issueDate)),
    column('dueDate', t('dueDate'), ({ dueDate }) => formatDate(dueDate)),
    column('status', t('statusLabel'), (invoice) => <InvoiceStatus invoice={invoice} />),
    numberColumn('grandTotal', t('total'), ({ grandTotal, currencyCode }) => (
      <Money amount={grandTotal} currency={currencyCode} />
    )),
    numberColumn('open', t('open'), ({ open, currencyCode }) => <Money amount={open} currency={currencyCode} />),
  ];
}

type Search = z.output<typeof listSearch>;

function Filters({ search, change }: { search: Search; change: (part: Partial<Search>) => void }) {
  const { t } = useTranslation('invoices');
  const { customerId, dateFrom, dateTo } = search;
  return (
    <>
      <Select
        label={t('statusLabel')}
        placeholder={t('anyStatus')}
        clearable
        data={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        value={oneOf(STATUSES, search.status) ?? null}
        onChange={(value) => change({ status: value ?? undefined, page: 1 })}
      />
      <RecordSelect
        source={CUSTOMERS}
        label={t('customer')}
        clearable
        value={customerId ?? null}
        onChange={(value) => change({ customerId: value ?? undefined, page: 1 })}
      />
      <DateRangeFilter
        labels={{ first: t('from'), last: t('to') }}
        days={{ first: dateFrom, last: dateTo }}
        onDays={({ first, last }) => change({ dateFrom: first, dateTo: last, page: 1 })}
      />
    </>
  );
}

const NO_FILTERS = {
  status: undefined,
  customerId: undefined,
  dateFrom: undefined,
  dateTo: undefined,
  search: undefined,
  page: 1,
};

/** Every invoice and draft, newest first. */
export default function InvoiceListPage() {
  const { t } = useTranslation('invoices');
  const [search, change] = usePageSearch(listSearch);
  const { status, customerId, dateFrom, dateTo } = search;
  const chosen = oneOf(STATUSES, status);
  const filters = {
    ...(chosen ? { status: chosen } : {}),
    customerId: Number(customerId) || undefined,
    dateFrom,
    dateTo,
  };
  const isFiltered = [chosen, customerId, dateFrom, dateTo].some((value) => value !== undefined);
  const query = {
    ...filters,
    status: chosen ? [chosen] : undefined,
    customerId: filters.customerId === undefined ? undefined : [filters.customerId],
    page: search.page,
    search: search.search,
    sortBy: oneOf(SORTS, search.sortBy),
    sortDir: search.sortDir,
  };
  const createButton = <CreateButton permission="invoices:create" to="/invoices/new" label={t('new')} />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ExportButton resource="invoices" filters={{ ...filters, search: search.search }} />
          {createButton}
        </>
      }
    >
      <RecordList
        label={t('title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listInvoices"
        parameters={[query]}
        read={(options) => business.listInvoices(query, options)}
        position={search}
        change={change}
        sortable={SORTS}
        isFiltered={isFiltered}
        resetFilters={() => change(NO_FILTERS)}
        filters={<Filters search={search} change={change} />}
        empty={
          <>
            <Text>{t('empty')}</Text>
            {createButton}
          </>
        }
      />
    </Page>
  );
}

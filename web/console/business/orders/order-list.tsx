import { Anchor, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { DaysFilter } from '../accounting/days-filter';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { CUSTOMERS, RecordSelect } from '../records/record-select';
import { SALES_ORDER_STATUSES, SalesOrderStatus } from './order-status';

type Order = BusinessResponse<'listSalesOrders'>['data'][number];

const SORTS = ['orderDate'] as const;

const listSearch = pageSearch.extend({
  status: textFilter,
  customerId: textFilter,
  dateFrom: textFilter,
  dateTo: textFilter,
});
type Search = z.output<typeof listSearch>;

const column = defineColumns<Order>();
const numberColumn = defineNumberColumns<Order>();

function useColumns() {
  const { t } = useTranslation('orders');
  return [
    column('number', t('number'), ({ id, number }) => (
      <Anchor component={Link} to={`/sales-orders/${id}`} size="sm">
        {number}
      </Anchor>
    )),
    column('customerName', t('customer'), ({ customerName }) => customerName),
    column('orderDate', t('orderDate'), ({ orderDate }) => formatDate(orderDate)),
    column('status', t('status'), ({ status }) => <SalesOrderStatus status={status} />),
    column('invoice', t('invoice'), ({ invoiceId, invoiceNumber }) =>
      invoiceId === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={`/invoices/${invoiceId}`} size="sm">
          {invoiceNumber}
        </Anchor>
      ),
    ),
    numberColumn('grandTotal', t('total'), ({ grandTotal, currencyCode }) => (
      <Money amount={grandTotal} currency={currencyCode} />
    )),
  ];
}

function Filters({ search, change }: { search: Search; change: (part: Partial<Search>) => void }) {
  const { t } = useTranslation('orders');
  const { status, customerId, dateFrom, dateTo } = search;
  return (
    <>
      <Select
        label={t('status')}
        placeholder={t('anyStatus')}
        clearable
        data={SALES_ORDER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        value={oneOf(SALES_ORDER_STATUSES, status) ?? null}
        onChange={(value) => change({ status: value ?? undefined, page: 1 })}
      />
      <RecordSelect
        source={CUSTOMERS}
        label={t('customer')}
        clearable
        value={customerId ?? null}
        onChange={(value) => change({ customerId: value ?? undefined, page: 1 })}
      />
      <DaysFilter days={{ dateFrom, dateTo }} change={(days) => change({ ...days, page: 1 })} />
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

/** Orders of customers, newest first. */
export default function OrderListPage() {
  const { t } = useTranslation('orders');
  const [position, change] = usePageSearch(listSearch);
  const { page, search, sortDir, customerId, dateFrom, dateTo } = position;
  const status = oneOf(SALES_ORDER_STATUSES, position.status);
  const customer = Number(customerId) || null;
  const query = {
    page,
    search,
    sortBy: oneOf(SORTS, position.sortBy),
    sortDir,
    status: status && [status],
    customerId: customer === null ? undefined : [customer],
    dateFrom,
    dateTo,
  };
  const createButton = <CreateButton permission="invoices:create" to="/sales-orders/new" label={t('new')} />;
  return (
    <Page title={t('title')} actions={createButton}>
      <RecordList
        label={t('title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listSalesOrders"
        parameters={[query]}
        read={(options) => business.listSalesOrders(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isFiltered={[status, customerId, dateFrom, dateTo].some((value) => value !== undefined)}
        resetFilters={() => change(NO_FILTERS)}
        filters={<Filters search={position} change={change} />}
        empty={
          <>
            <Text maw={480}>{t('empty')}</Text>
            {createButton}
          </>
        }
      />
    </Page>
  );
}

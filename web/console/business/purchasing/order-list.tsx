import { Anchor, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { ExportButton } from '../exports/export-button';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { ORDER_STATUSES, OrderStatus } from './order-status';

type Order = BusinessResponse<'listPurchaseOrders'>['data'][number];

const SORTS = ['orderDate'] as const;

const listSearch = pageSearch.extend({ status: textFilter });

const column = defineColumns<Order>();
const numberColumn = defineNumberColumns<Order>();

function useColumns() {
  const { t } = useTranslation('purchasing');
  return [
    column('number', t('number'), ({ id, number }) => (
      <Anchor component={Link} to={`/purchase-orders/${id}`} size="sm">
        {number}
      </Anchor>
    )),
    column('vendorName', t('vendor'), ({ vendorName }) => vendorName),
    column('orderDate', t('orderDate'), ({ orderDate }) => formatDate(orderDate)),
    column('expectedDate', t('expectedDate'), ({ expectedDate }) =>
      expectedDate === null ? '–' : formatDate(expectedDate),
    ),
    column('status', t('status'), ({ status }) => <OrderStatus status={status} />),
    numberColumn('grandTotal', t('total'), ({ grandTotal, currencyCode }) => (
      <Money amount={grandTotal} currency={currencyCode} />
    )),
  ];
}

/** Orders to vendors, newest first. */
export default function OrderListPage() {
  const { t } = useTranslation('purchasing');
  const [position, change] = usePageSearch(listSearch);
  const { page, search, sortDir } = position;
  const status = oneOf(ORDER_STATUSES, position.status);
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, status: status && [status] };
  const createButton = <CreateButton permission="purchase-orders:create" to="/purchase-orders/new" label={t('new')} />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ExportButton resource="purchase-orders" filters={{ search, status }} />
          {createButton}
        </>
      }
    >
      <RecordList
        label={t('title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listPurchaseOrders"
        parameters={[query]}
        read={(options) => business.listPurchaseOrders(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isFiltered={status !== undefined}
        resetFilters={() => change({ status: undefined, search: undefined, page: 1 })}
        filters={
          <Select
            label={t('status')}
            placeholder={t('anyStatus')}
            clearable
            data={ORDER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            value={status ?? null}
            onChange={(value) => change({ status: value ?? undefined, page: 1 })}
          />
        }
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

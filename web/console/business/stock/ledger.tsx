import { Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDateTime } from '../../../shared/format';
import { DataTable } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { CursorPager, goToFirst } from '../../components/pager';
import { usePageSearch } from '../../components/use-page-search';
import type { BusinessPermission } from '../../session';
import { DaysFilter } from '../accounting/days-filter';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { useCompany } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { RecordLink } from '../records/record-link';
import { oneOf } from '../records/record-list';
import { ProductFilter, WarehouseFilter } from './filters';
import { ledgerSearch } from './stock-search';

type Ledger = BusinessResponse<'listStockMovements'>;
type Movement = Ledger['data'][number];

const KINDS = ['opening', 'invoice', 'void', 'restock', 'adjustment', 'transfer', 'receipt', 'vendor_return'] as const;

/** Where the documents of movements have a page of their own, and what it needs. */
const DOCUMENT_PAGES: Readonly<
  Record<Movement['source']['type'], { path: string; permission: BusinessPermission } | null>
> = {
  product: { path: '/products', permission: 'products:read' },
  invoice: { path: '/invoices', permission: 'invoices:read' },
  receipt: { path: '/bills', permission: 'payables:read' },
  vendor_return: { path: '/vendor-returns', permission: 'purchase-orders:read' },
  adjustment: null,
  transfer: null,
};

function SourceLink({ source: { type, id, number } }: Movement) {
  const { t } = useTranslation('stock');
  const page = DOCUMENT_PAGES[type];
  const label = number ?? t(`sources.${type}`, { id });
  if (page === null) return label;
  return <RecordLink permission={page.permission} to={`${page.path}/${id}`} label={label} />;
}

const column = defineColumns<Movement>();
const numberColumn = defineNumberColumns<Movement>();

/** @param isOneWarehouse whether quantity and value after a movement are those of its warehouse */
function useColumns(currency: string | undefined, isOneWarehouse: boolean) {
  const { t } = useTranslation('stock');
  return [
    column('postedAt', t('postedAt'), ({ postedAt }) => formatDateTime(postedAt)),
    column('kind', t('movement'), ({ kind }) => t(`movements.${kind}`)),
    column('document', t('document'), (movement) => <SourceLink {...movement} />),
    column('warehouse', t('warehouse'), ({ warehouseName }) => warehouseName),
    numberColumn('quantity', t('quantity'), ({ quantity }) => formatDecimal(quantity)),
    numberColumn('value', t('value'), ({ value }) => <Money amount={value} currency={currency} />),
    numberColumn('quantityAfter', t('quantityAfter'), (row) =>
      formatDecimal(isOneWarehouse ? row.warehouseQuantityAfter : row.quantityAfter),
    ),
    numberColumn('valueAfter', t('valueAfter'), (row) => (
      <Money amount={isOneWarehouse ? row.warehouseValueAfter : row.valueAfter} currency={currency} />
    )),
  ];
}

const NO_FILTERS = {
  warehouseId: undefined,
  kind: undefined,
  dateFrom: undefined,
  dateTo: undefined,
  cursor: undefined,
  skip: undefined,
};

function useLedgerQuery() {
  const [search, change] = usePageSearch(ledgerSearch);
  const { productId, warehouseId, dateFrom, dateTo, cursor } = search;
  const kind = oneOf(KINDS, search.kind);
  const query = {
    productId: Number(productId),
    warehouseId: Number(warehouseId) || undefined,
    kind: kind && [kind],
    dateFrom,
    dateTo,
    cursor,
  };
  const result = useQuery({
    ...businessQuery('listStockMovements', [query], (options) => business.listStockMovements(query, options)),
    enabled: query.productId > 0,
    placeholderData: keepPreviousData,
  });
  return { search, change, kind, isChosen: query.productId > 0, ...result };
}

function Movements({ ledger }: { ledger: ReturnType<typeof useLedgerQuery> }) {
  const { t } = useTranslation('stock');
  const { search, change, kind, data, error, isFetching, isPlaceholderData } = ledger;
  const { warehouseId, dateFrom, dateTo } = search;
  const currency = useCompany()?.baseCurrencyCode;
  const isFiltered = [warehouseId, kind, dateFrom, dateTo].some((value) => value !== undefined);
  return (
    <>
      <Failure error={error} />
      {data !== undefined && dateFrom !== undefined && (
        <Text size="sm">
          {t('openingStock', { quantity: formatDecimal(data.opening.quantity) })}{' '}
          <Money amount={data.opening.value} currency={currency} />
        </Text>
      )}
      <DataTable
        label={t('tabs.ledger')}
        columns={useColumns(currency, warehouseId !== undefined)}
        rows={data?.data}
        getRowId={({ sequence }) => String(sequence)}
        isFetching={isFetching}
        empty={
          <EmptyList isFiltered={isFiltered} reset={() => change(NO_FILTERS)} goToFirst={goToFirst({ search, change })}>
            <Text maw={480}>{t('noMovements')}</Text>
          </EmptyList>
        }
      />
      <CursorPager
        search={search}
        change={change}
        page={data && { count: data.data.length, total: null, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </>
  );
}

/** The movements of a product, each with the stock after it and its document. */
export function StockLedger() {
  const { t } = useTranslation('stock');
  const ledger = useLedgerQuery();
  const { search, kind, isChosen } = ledger;
  const { productId, warehouseId, dateFrom, dateTo } = search;
  const filter = (part: Partial<typeof search>) => ledger.change({ ...part, cursor: undefined, skip: undefined });
  return (
    <Stack gap="sm">
      <Group gap="sm" align="end">
        <ProductFilter value={productId} change={(value) => filter({ productId: value })} />
        <WarehouseFilter value={warehouseId} change={(value) => filter({ warehouseId: value })} />
        <Select
          label={t('movement')}
          clearable
          data={KINDS.map((value) => ({ value, label: t(`movements.${value}`) }))}
          value={kind ?? null}
          onChange={(value) => filter({ kind: value ?? undefined })}
        />
        <DaysFilter days={{ dateFrom, dateTo }} change={filter} />
      </Group>
      {isChosen ? <Movements ledger={ledger} /> : <Text maw={480}>{t('chooseProduct')}</Text>}
    </Stack>
  );
}

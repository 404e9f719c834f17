import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDateTime } from '../../../shared/format';
import { DateFilter } from '../../components/date-filter';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { formatDecimal, Money } from '../records/money';
import { RecordList } from '../records/record-list';
import { ProductFilter, WarehouseFilter } from './filters';
import { NO_STOCK_FILTERS, stockSearch, toIds } from './stock-search';

type Valuation = BusinessResponse<'getStockValuation'>;

const column = defineColumns<Valuation['data'][number]>();
const numberColumn = defineNumberColumns<Valuation['data'][number]>();

function useColumns(currency: string | undefined) {
  const { t } = useTranslation('stock');
  const navigate = useNavigate();
  const open = (productId: number) =>
    void navigate({ to: '/stock', search: { tab: 'ledger', productId: String(productId) } });
  return [
    column('product', t('product'), ({ productId, productName, productCode }) => (
      <Anchor component="button" size="sm" onClick={() => open(productId)}>
        {productName} ({productCode})
      </Anchor>
    )),
    column('warehouse', t('warehouse'), ({ warehouseName }) => warehouseName),
    numberColumn('quantity', t('quantity'), ({ quantity }) => formatDecimal(quantity)),
    numberColumn('unitCost', t('averageCost'), ({ unitCost }) => (
      <Money amount={unitCost} currency={currency} isUnit />
    )),
    numberColumn('value', t('value'), ({ value }) => <Money amount={value} currency={currency} />),
  ];
}

/** The value of all pages, and of each warehouse. */
function Totals({ valuation }: { valuation: Valuation }) {
  const { t } = useTranslation('stock');
  const { asOf, baseCurrencyCode: currency, totals } = valuation;
  return (
    <Paper withBorder p="md" maw={480}>
      <Stack gap={4} aria-live="polite">
        <Group justify="space-between">
          <Text fw={600}>{t('totalValue')}</Text>
          <Money amount={totals.value} currency={currency} fw={600} />
        </Group>
        {totals.warehouses.length > 1 &&
          totals.warehouses.map(({ warehouseId, warehouseName, value }) => (
            <Group key={warehouseId} justify="space-between">
              <Text size="sm">{warehouseName}</Text>
              <Money amount={value} currency={currency} />
            </Group>
          ))}
        <Text size="xs" c="dimmed">
          {asOf === null ? t('valuedNow') : t('valuedAsOf', { time: formatDateTime(asOf) })}
        </Text>
      </Stack>
    </Paper>
  );
}

/** What the stock is worth, now or at the end of any day. */
export function StockValuation() {
  const { t } = useTranslation('stock');
  const [position, change] = usePageSearch(stockSearch);
  const { page, productId, warehouseId, asOf } = position;
  const query = { page, asOf, productId: toIds(productId), warehouseId: toIds(warehouseId) };
  const read = (options: { signal: AbortSignal }) => business.getStockValuation(query, options);
  // The list reads the same query, so that it is requested once.
  const { data } = useQuery(businessQuery('getStockValuation', [query], read));
  return (
    <Stack>
      {data !== undefined && <Totals valuation={data} />}
      <RecordList
        label={t('tabs.valuation')}
        columns={useColumns(data?.baseCurrencyCode)}
        getRowId={(row) => `${row.productId} ${row.warehouseId}`}
        operation="getStockValuation"
        parameters={[query]}
        read={read}
        position={position}
        change={change}
        isSearchable={false}
        isFiltered={[productId, warehouseId, asOf].some((value) => value !== undefined)}
        resetFilters={() => change(NO_STOCK_FILTERS)}
        filters={
          <>
            <ProductFilter value={productId} change={(value) => change({ productId: value, page: 1 })} />
            <WarehouseFilter value={warehouseId} change={(value) => change({ warehouseId: value, page: 1 })} />
            <DateFilter label={t('asOf')} day={asOf} onDay={(day) => change({ asOf: day, page: 1 })} />
          </>
        }
        empty={<Text maw={480}>{t('empty')}</Text>}
      />
    </Stack>
  );
}

import { Button, Select, Tabs, Text, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { defineColumns } from '../records/columns';
import { useCompany, useWarehouses } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { AdjustmentList, TransferList } from './movements';
import { stockSearch } from './stock-search';

type StockLevel = BusinessResponse<'listStock'>['data'][number];

const TABS = ['levels', 'adjustments', 'transfers'] as const;

const column = defineColumns<StockLevel>();

function useColumns() {
  const { t } = useTranslation('stock');
  const currency = useCompany()?.baseCurrencyCode ?? 'EUR';
  return [
    column('product', t('product'), ({ productName, productCode }) => `${productName} (${productCode})`),
    column('warehouse', t('warehouse'), ({ warehouseName }) => warehouseName),
    column('onHand', t('onHand'), ({ onHand }) => formatDecimal(onHand)),
    column('averageCost', t('averageCost'), ({ averageCost }) => <Money amount={averageCost} currency={currency} />),
  ];
}

/** Quantities on hand, now or at the end of any day. */
function Levels() {
  const { t } = useTranslation('stock');
  const [position, change] = usePageSearch(stockSearch);
  const warehouses = useWarehouses();
  const { page, search, warehouseId, asOf } = position;
  const warehouse = Number(warehouseId) || undefined;
  const query = { page, search, asOf, warehouseId: warehouse === undefined ? undefined : [warehouse] };
  return (
    <RecordList
      label={t('tabs.levels')}
      columns={useColumns()}
      getRowId={({ productId, warehouseId: place }) => `${productId} ${place}`}
      operation="listStock"
      parameters={[query]}
      read={(options) => business.listStock(query, options)}
      position={position}
      change={change}
      isFiltered={warehouseId !== undefined || asOf !== undefined}
      resetFilters={() => change({ warehouseId: undefined, asOf: undefined, search: undefined, page: 1 })}
      filters={
        <>
          <Select
            label={t('warehouse')}
            placeholder={t('allWarehouses')}
            clearable
            data={warehouses}
            value={warehouseId ?? null}
            onChange={(value) => change({ warehouseId: value ?? undefined, page: 1 })}
          />
          <TextInput
            type="date"
            label={t('asOf')}
            value={asOf ?? ''}
            onChange={({ currentTarget }) => change({ asOf: currentTarget.value || undefined, page: 1 })}
          />
        </>
      }
      empty={<Text maw={480}>{t('empty')}</Text>}
    />
  );
}

function Actions() {
  const { t } = useTranslation('stock');
  const { business: permissions } = useSession();
  return (
    <>
      <ExportButton resource="stock" filters={{}} />
      {permissions.has('inventory:transfer') && (
        <Button variant="default" component={Link} to="/stock/transfer">
          {t('newTransfer')}
        </Button>
      )}
      {permissions.has('inventory:adjust') && (
        <Button component={Link} to="/stock/adjust">
          {t('newAdjustment')}
        </Button>
      )}
    </>
  );
}

/** Stock by warehouse, and the documents that changed it. */
export default function StockPage() {
  const { t } = useTranslation('stock');
  const navigate = useNavigate();
  const [search] = usePageSearch(stockSearch);
  const tab = oneOf(TABS, search.tab) ?? 'levels';
  return (
    <Page title={t('title')} actions={<Actions />}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ to: '.', search: value === 'levels' ? {} : { tab: value } })}
      >
        <Tabs.List aria-label={t('tabsLabel')} mb="md">
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`tabs.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="levels">
          <Levels />
        </Tabs.Panel>
        <Tabs.Panel value="adjustments">
          <AdjustmentList />
        </Tabs.Panel>
        <Tabs.Panel value="transfers">
          <TransferList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

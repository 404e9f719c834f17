import { Button, Tabs, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { DateFilter } from '../../components/date-filter';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { useCompany } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { ProductFilter, WarehouseFilter } from './filters';
import { StockLedger } from './ledger';
import { AdjustmentList, TransferList } from './movements';
import { ledgerSearch, NO_STOCK_FILTERS, stockSearch, toIds } from './stock-search';
import { StockValuation } from './valuation';

type StockLevel = BusinessResponse<'listStock'>['data'][number];

const TABS = ['levels', 'valuation', 'ledger', 'adjustments', 'transfers'] as const;

const column = defineColumns<StockLevel>();
const numberColumn = defineNumberColumns<StockLevel>();

/** Reservations are known for the present only. */
const showCount = (count: number | null): string => (count === null ? '–' : formatDecimal(count));

function useColumns() {
  const { t } = useTranslation('stock');
  const currency = useCompany()?.baseCurrencyCode;
  return [
    column('product', t('product'), ({ productName, productCode }) => `${productName} (${productCode})`),
    column('warehouse', t('warehouse'), ({ warehouseName }) => warehouseName),
    numberColumn('onHand', t('onHand'), ({ onHand }) => formatDecimal(onHand)),
    numberColumn('reserved', t('reserved'), ({ reserved }) => showCount(reserved)),
    numberColumn('available', t('available'), ({ available }) => showCount(available)),
    numberColumn('averageCost', t('averageCost'), ({ averageCost }) => (
      <Money amount={averageCost} currency={currency} isUnit />
    )),
  ];
}

/** Quantities on hand, now or at the end of any day. */
function Levels() {
  const { t } = useTranslation('stock');
  const [position, change] = usePageSearch(stockSearch);
  const { page, productId, warehouseId, asOf } = position;
  const query = { page, asOf, productId: toIds(productId), warehouseId: toIds(warehouseId) };
  return (
    <RecordList
      label={t('tabs.levels')}
      columns={useColumns()}
      getRowId={(level) => `${level.productId} ${level.warehouseId}`}
      operation="listStock"
      parameters={[query]}
      read={(options) => business.listStock(query, options)}
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
  );
}

type Tab = (typeof TABS)[number];

/** Exports what a view lists, if its list and its filters can be exported. */
function StockExport({ tab }: { tab: Tab }) {
  const [{ productId, warehouseId, asOf }] = usePageSearch(stockSearch);
  const [{ kind, dateFrom, dateTo }] = usePageSearch(ledgerSearch);
  const place = { productId: Number(productId) || undefined, warehouseId: Number(warehouseId) || undefined };
  switch (tab) {
    case 'levels':
      // Reservations are known for the present only, so quantities of a past day are those of the valuation.
      if (asOf === undefined) return <ExportButton resource="stock" filters={place} />;
      return <ExportButton resource="stock-valuation" filters={{ ...place, asOf }} />;
    case 'valuation':
      return <ExportButton resource="stock-valuation" filters={{ ...place, asOf }} />;
    case 'ledger':
      return kind === undefined && <ExportButton resource="stock-ledger" filters={{ ...place, dateFrom, dateTo }} />;
    case 'adjustments':
    case 'transfers':
      return null;
  }
}

function Actions({ tab }: { tab: Tab }) {
  const { t } = useTranslation('stock');
  const { business: permissions } = useSession();
  return (
    <>
      <StockExport tab={tab} />
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
    <Page title={t('title')} actions={<Actions tab={tab} />}>
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
        <Tabs.Panel value="valuation">
          <StockValuation />
        </Tabs.Panel>
        <Tabs.Panel value="ledger">
          <StockLedger />
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

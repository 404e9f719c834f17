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
import { defineColumns } from '../records/columns';
import { useCompany } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { WarehouseFilter } from './filters';
import { StockLedger } from './ledger';
import { AdjustmentList, TransferList } from './movements';
import { NO_STOCK_FILTERS, stockSearch, toIds } from './stock-search';
import { StockValuation } from './valuation';

type StockLevel = BusinessResponse<'listStock'>['data'][number];

const TABS = ['levels', 'valuation', 'ledger', 'adjustments', 'transfers'] as const;

const column = defineColumns<StockLevel>();

/** Reservations are known for the present only. */
const showCount = (count: number | null): string => (count === null ? '–' : formatDecimal(count));

function useColumns() {
  const { t } = useTranslation('stock');
  const currency = useCompany()?.baseCurrencyCode ?? 'EUR';
  return [
    column('product', t('product'), ({ productName, productCode }) => `${productName} (${productCode})`),
    column('warehouse', t('warehouse'), ({ warehouseName }) => warehouseName),
    column('onHand', t('onHand'), ({ onHand }) => formatDecimal(onHand)),
    column('reserved', t('reserved'), ({ reserved }) => showCount(reserved)),
    column('available', t('available'), ({ available }) => showCount(available)),
    column('averageCost', t('averageCost'), ({ averageCost }) => <Money amount={averageCost} currency={currency} />),
  ];
}

/** Quantities on hand, now or at the end of any day. */
function Levels() {
  const { t } = useTranslation('stock');
  const [position, change] = usePageSearch(stockSearch);
  const { page, search, warehouseId, asOf } = position;
  const query = { page, search, asOf, warehouseId: toIds(warehouseId) };
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
      resetFilters={() => change(NO_STOCK_FILTERS)}
      filters={
        <>
          <WarehouseFilter value={warehouseId} change={(value) => change({ warehouseId: value, page: 1 })} />
          <DateFilter label={t('asOf')} day={asOf} onDay={(day) => change({ asOf: day, page: 1 })} />
        </>
      }
      empty={<Text maw={480}>{t('empty')}</Text>}
    />
  );
}

function Actions({ tab }: { tab: (typeof TABS)[number] }) {
  const { t } = useTranslation('stock');
  const [{ asOf }] = usePageSearch(stockSearch);
  const { business: permissions } = useSession();
  return (
    <>
      {tab === 'valuation' ? (
        <ExportButton resource="stock-valuation" filters={{ asOf }} />
      ) : (
        <ExportButton resource="stock" filters={{}} />
      )}
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

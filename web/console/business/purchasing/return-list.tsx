import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { DaysFilter } from '../accounting/days-filter';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { Money } from '../records/money';
import { RecordList } from '../records/record-list';
import { RecordLink } from '../records/record-link';
import { RecordSelect, VENDORS } from '../records/record-select';

type VendorReturn = BusinessResponse<'listVendorReturns'>['data'][number];

const listSearch = pageSearch.extend({ vendorId: textFilter, dateFrom: textFilter, dateTo: textFilter });

const column = defineColumns<VendorReturn>();
const numberColumn = defineNumberColumns<VendorReturn>();

function useColumns() {
  const { t } = useTranslation('purchasing');
  return [
    column('number', t('number'), ({ id, number }) => (
      <Anchor component={Link} to={`/vendor-returns/${id}`} size="sm">
        {number}
      </Anchor>
    )),
    column('date', t('billDate'), ({ date }) => formatDate(date)),
    column('vendorName', t('vendor'), ({ vendorName }) => vendorName),
    column('receipt', t('kinds.receipt'), ({ receiptId, receiptNumber }) => (
      <RecordLink permission="payables:read" to={`/bills/${receiptId}`} label={receiptNumber} />
    )),
    column('reason', t('returns.reason'), ({ reason }) => reason),
    numberColumn('grandTotal', t('total'), ({ grandTotal, currencyCode }) => (
      <Money amount={grandTotal} currency={currencyCode} />
    )),
  ];
}

const NO_FILTERS = { vendorId: undefined, dateFrom: undefined, dateTo: undefined, page: 1 };

/** Goods that went back to vendors, newest first. */
export default function ReturnListPage() {
  const { t } = useTranslation('purchasing');
  const [position, change] = usePageSearch(listSearch);
  const { page, vendorId, dateFrom, dateTo } = position;
  const vendor = Number(vendorId) || null;
  const query = { page, vendorId: vendor === null ? undefined : [vendor], dateFrom, dateTo };
  // A receipt, of which the goods are returned, is among the payables.
  const createButton = useSession().business.has('payables:read') && (
    <CreateButton permission="purchase-orders:receive" to="/vendor-returns/new" label={t('returns.new')} />
  );
  return (
    <Page title={t('returns.title')} actions={createButton}>
      <RecordList
        label={t('returns.title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listVendorReturns"
        parameters={[query]}
        read={(options) => business.listVendorReturns(query, options)}
        position={position}
        change={change}
        isSearchable={false}
        isFiltered={[vendorId, dateFrom, dateTo].some((value) => value !== undefined)}
        resetFilters={() => change(NO_FILTERS)}
        filters={
          <>
            <RecordSelect
              source={VENDORS}
              label={t('vendor')}
              clearable
              value={vendorId ?? null}
              onChange={(value) => change({ vendorId: value ?? undefined, page: 1 })}
            />
            <DaysFilter days={{ dateFrom, dateTo }} change={(days) => change({ ...days, page: 1 })} />
          </>
        }
        empty={
          <>
            <Text maw={480}>{t('returns.empty')}</Text>
            {createButton}
          </>
        }
      />
    </Page>
  );
}

import { Anchor, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatUnitPrice } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { SimpleTable } from '../../components/simple-table';
import { usePageParam } from '../../components/use-page-search';
import { Fields } from '../records/fields';
import { useCompany, useWarehouseName } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { RecordLink } from '../records/record-link';

type VendorReturn = BusinessResponse<'getVendorReturn'>['data'];

function Facts({ record }: { record: VendorReturn }) {
  const { t } = useTranslation('purchasing');
  const base = useCompany()?.baseCurrencyCode ?? record.currencyCode;
  const amount = (value: number) => <Money amount={value} currency={record.currencyCode} />;
  const linkBill = (id: number, label: string) => (
    <RecordLink permission="payables:read" to={`/bills/${id}`} label={label} />
  );
  return (
    <Paper withBorder p="md">
      <Fields
        rows={[
          [
            t('vendor'),
            <RecordLink
              key="vendor"
              permission="vendors:read"
              to={`/vendors/${record.vendorId}`}
              label={record.vendorName}
            />,
          ],
          [t('kinds.receipt'), linkBill(record.receiptId, record.receiptNumber)],
          [t('billDate'), formatDate(record.date)],
          [t('returns.reason'), record.reason],
          [t('net'), amount(record.total)],
          [t('tax'), amount(record.taxTotal)],
          [t('total'), amount(record.grandTotal)],
          [t('returns.cost'), <Money key="cost" amount={record.cost} currency={base} />],
          [
            t('returns.settledBy'),
            record.creditNoteId === null
              ? t('returns.reducedReceipt')
              : linkBill(record.creditNoteId, t('kinds.credit_note')),
          ],
        ]}
      />
    </Paper>
  );
}

function ReturnedLines({ record }: { record: VendorReturn }) {
  const { t } = useTranslation('purchasing');
  const nameWarehouse = useWarehouseName();
  return (
    <SimpleTable
      label={t('lines')}
      head={[t('product'), t('warehouse'), t('quantity'), t('unitCost'), t('net'), t('tax')]}
      numbersFrom={2}
      rows={record.lines.map((line) => ({
        key: String(line.lineId),
        cells: [
          <Anchor key="product" component={Link} to={`/products/${line.productId}`} size="sm">
            {line.description}
          </Anchor>,
          nameWarehouse(line.warehouseId),
          formatDecimal(line.quantity),
          formatUnitPrice(line.unitCost, record.currencyCode),
          <Money key="net" amount={line.net} currency={record.currencyCode} />,
          <Money key="tax" amount={line.tax} currency={record.currencyCode} />,
        ],
      }))}
    />
  );
}

/** One return of goods to a vendor: what went back, and how it was settled. */
export default function ReturnPage() {
  const { t } = useTranslation('purchasing');
  const id = usePageParam('returnId');
  const { data, error } = useQuery(
    businessQuery('getVendorReturn', [id], (options) => business.getVendorReturn(id, options)),
  );
  const record = data?.data;
  return (
    <Page title={record?.number ?? t('returns.one')}>
      <Failure error={error} />
      {record === undefined && error === null && <Skeleton h={240} />}
      {record !== undefined && (
        <Stack>
          <Facts record={record} />
          <ReturnedLines record={record} />
        </Stack>
      )}
    </Page>
  );
}

import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { formatDateTime } from '../../../shared/format';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns } from '../records/columns';
import { useWarehouseName } from '../records/lookups';
import { formatDecimal } from '../records/money';
import { RecordList } from '../records/record-list';
import { stockSearch } from './stock-search';

interface Movement {
  id: number;
  reason: string | null;
  lines: { lineId: number; productName: string; quantity: number }[];
  createdAt: string;
}

type Adjustment = Movement & { warehouseId: number };
type Transfer = Movement & { fromWarehouseId: number; toWarehouseId: number };

const describeLines = ({ lines }: Movement): string =>
  lines.map(({ productName, quantity }) => `${productName}: ${formatDecimal(quantity)}`).join(', ');

const adjustmentColumn = defineColumns<Adjustment>();
const transferColumn = defineColumns<Transfer>();

/** Differences that were found by counting or booked for another reason. */
export function AdjustmentList() {
  const { t } = useTranslation('stock');
  const nameWarehouse = useWarehouseName();
  const [position, change] = usePageSearch(stockSearch);
  const { page, search } = position;
  const query = { page, search };
  return (
    <RecordList<Adjustment>
      label={t('tabs.adjustments')}
      columns={[
        adjustmentColumn('createdAt', t('postedAt'), ({ createdAt }) => formatDateTime(createdAt)),
        adjustmentColumn('warehouse', t('warehouse'), ({ warehouseId }) => nameWarehouse(warehouseId)),
        adjustmentColumn('reason', t('reason'), ({ reason }) => reason),
        adjustmentColumn('lines', t('lines'), describeLines),
      ]}
      getRowId={({ id }) => String(id)}
      operation="listAdjustments"
      parameters={[query]}
      read={(options) => business.listAdjustments(query, options)}
      position={position}
      change={change}
      empty={<Text>{t('noAdjustments')}</Text>}
    />
  );
}

/** Goods that were moved from one warehouse to another. */
export function TransferList() {
  const { t } = useTranslation('stock');
  const nameWarehouse = useWarehouseName();
  const [position, change] = usePageSearch(stockSearch);
  const { page, search } = position;
  const query = { page, search };
  return (
    <RecordList<Transfer>
      label={t('tabs.transfers')}
      columns={[
        transferColumn('createdAt', t('postedAt'), ({ createdAt }) => formatDateTime(createdAt)),
        transferColumn('from', t('from'), ({ fromWarehouseId }) => nameWarehouse(fromWarehouseId)),
        transferColumn('to', t('to'), ({ toWarehouseId }) => nameWarehouse(toWarehouseId)),
        transferColumn('lines', t('lines'), describeLines),
      ]}
      getRowId={({ id }) => String(id)}
      operation="listTransfers"
      parameters={[query]}
      read={(options) => business.listTransfers(query, options)}
      position={position}
      change={change}
      empty={<Text>{t('noTransfers')}</Text>}
    />
  );
}

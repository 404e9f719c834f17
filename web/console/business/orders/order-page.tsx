import { Anchor, Button, Group, Paper, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { ifMatch, readVersion } from '../../../shared/api/versions';
import type { Versioned } from '../../../shared/api/versions';
import { formatDate, formatUnitPrice } from '../../../shared/format';
import { SimpleTable } from '../../components/simple-table';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ConfirmDialog } from '../records/confirm-dialog';
import { Fields } from '../records/fields';
import { useWarehouseName } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { RecordPage } from '../records/record-page';
import { InvoiceDialog } from './invoice-dialog';
import { SalesOrderStatus } from './order-status';
import type { SalesOrder } from './order-values';

interface DialogState {
  opened: boolean;
  close: () => void;
}

interface StatusDialogsProps {
  shown: Versioned<SalesOrder>;
  confirming: DialogState;
  cancelling: DialogState;
}

/** Asks before goods are reserved or released, of the order as it is shown. */
function StatusDialogs({ shown: { record: order, etag }, confirming, cancelling }: StatusDialogsProps) {
  const { t } = useTranslation('orders');
  const queries = useQueryClient();
  const id = String(order.id);
  const onDone = () => queries.invalidateQueries({ queryKey: ['business'] });
  return (
    <>
      <ConfirmDialog
        {...confirming}
        title={t('confirmTitle', { number: order.number })}
        action={t('confirm')}
        submit={() => business.confirmSalesOrder(id, ifMatch(etag))}
        onDone={onDone}
      >
        {t('confirmText')}
      </ConfirmDialog>
      <ConfirmDialog
        {...cancelling}
        title={t('cancelTitle', { number: order.number })}
        action={t('cancel')}
        isDestructive
        needsReason
        submit={(reason) => business.cancelSalesOrder(id, { reason }, ifMatch(etag))}
        onDone={onDone}
      >
        {t('cancelText')}
      </ConfirmDialog>
    </>
  );
}

/** What the user may do with an order in its present status. */
function OrderActions({ shown }: { shown: Versioned<SalesOrder> }) {
  const order = shown.record;
  const { t } = useTranslation('orders');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const [confirming, confirm] = useDisclosure();
  const [cancelling, cancel] = useDisclosure();
  const [invoicing, invoice] = useDisclosure();
  const canUpdate = permissions.has('invoices:update');
  const isDraft = order.status === 'draft';
  const isConfirmed = order.status === 'confirmed';
  return (
    <>
      {canUpdate && (isDraft || isConfirmed) && (
        <Button variant="default" onClick={cancel.open}>
          {t('cancel')}
        </Button>
      )}
      {canUpdate && isDraft && (
        <Button variant="default" component={Link} to={`/sales-orders/${order.id}/edit`}>
          {common('edit')}
        </Button>
      )}
      {canUpdate && isDraft && <Button onClick={confirm.open}>{t('confirm')}</Button>}
      {permissions.has('invoices:issue') && isConfirmed && <Button onClick={invoice.open}>{t('issueInvoice')}</Button>}
      <StatusDialogs
        shown={shown}
        confirming={{ opened: confirming, close: confirm.close }}
        cancelling={{ opened: cancelling, close: cancel.close }}
      />
      <InvoiceDialog order={order} opened={invoicing} close={invoice.close} />
    </>
  );
}

function OrderFacts({ order }: { order: SalesOrder }) {
  const { t } = useTranslation('orders');
  const amount = (value: number, fw?: number) => (
    <Money amount={value} currency={order.currencyCode} {...(fw === undefined ? {} : { fw })} />
  );
  return (
    <Paper withBorder p="md">
      <Fields
        rows={[
          [
            t('customer'),
            <Anchor key="customer" component={Link} to={`/customers/${order.customerId}`} size="sm">
              {order.customerName}
            </Anchor>,
          ],
          [t('orderDate'), formatDate(order.orderDate)],
          [t('reference'), order.reference],
          ...(order.invoiceId === null
            ? []
            : ([
                [
                  t('invoice'),
                  <Anchor key="invoice" component={Link} to={`/invoices/${order.invoiceId}`} size="sm">
                    {order.invoiceNumber}
                  </Anchor>,
                ],
              ] as const)),
          [t('net'), amount(order.total)],
          [t('tax'), amount(order.taxTotal)],
          [t('total'), amount(order.grandTotal, 600)],
          [t('notes'), order.notes],
          ...(order.cancelReason === null ? [] : ([[t('cancelReason'), order.cancelReason]] as const)),
        ]}
      />
    </Paper>
  );
}

function LineTable({ order }: { order: SalesOrder }) {
  const { t } = useTranslation('orders');
  const nameWarehouse = useWarehouseName();
  return (
    <SimpleTable
      label={t('lines')}
      head={[t('product'), t('warehouse'), t('quantity'), t('reserved'), t('unitPrice'), t('discount'), t('net')]}
      numbersFrom={2}
      rows={order.lines.map((line) => ({
        key: String(line.lineId),
        cells: [
          `${line.description} (${line.productCode})`,
          line.warehouseId === null ? '–' : nameWarehouse(line.warehouseId),
          formatDecimal(line.quantity),
          line.warehouseId === null ? '–' : formatDecimal(line.reserved),
          formatUnitPrice(line.unitPrice, order.currencyCode),
          line.discountPercent === 0 ? '–' : `${formatDecimal(line.discountPercent)} %`,
          <Money key="net" amount={line.net} currency={order.currencyCode} />,
        ],
      }))}
    />
  );
}

/** One order of a customer: lines, what is reserved, its invoice, and what can be done with it. */
export default function OrderPage() {
  const { t } = useTranslation('orders');
  const id = usePageParam('orderId');
  const { data, error } = useQuery(
    businessQuery('getSalesOrder', [id], (options) => readVersion((call) => business.getSalesOrder(id, call), options)),
  );
  return (
    <RecordPage
      title={data?.record.number ?? t('one')}
      record={data?.record}
      error={error}
      actions={() => data && <OrderActions shown={data} />}
    >
      {(order) => (
        <Stack>
          <Group>
            <SalesOrderStatus status={order.status} />
          </Group>
          <OrderFacts order={order} />
          <LineTable order={order} />
        </Stack>
      )}
    </RecordPage>
  );
}

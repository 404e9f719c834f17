import { Anchor, Button, Group, Paper, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { formatDecimal, Money } from '../records/money';
import { RecordPage } from '../records/record-page';
import { ExpectedDateButton } from './expected-date-button';
import { OrderStatus } from './order-status';
import { listOpenLines } from './order-values';
import type { Order } from './order-values';
import { ReceiveDialog } from './receive-dialog';
import { notifyFailure } from '../../components/notify-failure';

function OrderActions({ shown: { record: order, etag } }: { shown: Versioned<Order> }) {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const [cancelling, cancel] = useDisclosure();
  const [receiving, receive] = useDisclosure();
  const id = String(order.id);
  const refresh = () => queries.invalidateQueries({ queryKey: ['business'] });
  const place = useMutation({
    mutationFn: () => business.placePurchaseOrder(id, ifMatch(etag)),
    onSettled: refresh,
    onError: notifyFailure,
  });
  const isOpen = order.status === 'ordered' || order.status === 'partially_received';
  const canUpdate = permissions.has('purchase-orders:update');
  // Of an order that was received completely, what was returned to the vendor can come again.
  const isReceivable = isOpen || (order.status === 'received' && listOpenLines(order).length > 0);
  return (
    <>
      {canUpdate && (order.status === 'draft' || order.status === 'ordered') && (
        <Button variant="default" onClick={cancel.open}>
          {t('cancel')}
        </Button>
      )}
      {canUpdate && order.status === 'draft' && (
        <Button variant="default" component={Link} to={`/purchase-orders/${id}/edit`}>
          {common('edit')}
        </Button>
      )}
      {canUpdate && order.status === 'draft' && (
        <Button loading={place.isPending} onClick={() => place.mutate()}>
          {t('place')}
        </Button>
      )}
      {canUpdate && isOpen && <ExpectedDateButton orderId={id} />}
      {permissions.has('purchase-orders:receive') && isReceivable && (
        <Button onClick={receive.open}>{t('receive')}</Button>
      )}
      <ConfirmDialog<unknown>
        opened={cancelling}
        close={cancel.close}
        title={t('cancelTitle')}
        action={t('cancel')}
        isDestructive
        needsReason
        submit={(reason) => business.cancelPurchaseOrder(id, { reason }, ifMatch(etag))}
        onDone={refresh}
      >
        {t('cancelText')}
      </ConfirmDialog>
      {/* What is open depends on what was received and returned. */}
      <ReceiveDialog
        key={order.lines.map(({ received, returned }) => `${received}-${returned}`).join()}
        order={order}
        opened={receiving}
        close={receive.close}
      />
    </>
  );
}

function OrderLines({ order }: { order: Order }) {
  const { t } = useTranslation('purchasing');
  const hasReturns = order.lines.some(({ returned }) => returned > 0);
  return (
    <SimpleTable
      label={t('lines')}
      head={[t('product'), t('quantity'), t('received'), ...(hasReturns ? [t('returns.returned')] : []), t('unitCost')]}
      numbersFrom={1}
      rows={order.lines.map((line) => ({
        key: String(line.lineId),
        cells: [
          `${line.description} (${line.productCode})`,
          formatDecimal(line.quantity),
          formatDecimal(line.received),
          ...(hasReturns ? [formatDecimal(line.returned)] : []),
          formatUnitPrice(line.unitCost, order.currencyCode),
        ],
      }))}
    />
  );
}

/** One order: lines, what has been received, and what can be done with it. */
export default function OrderPage() {
  const { t } = useTranslation('purchasing');
  const id = usePageParam('orderId');
  const { data, error } = useQuery(
    businessQuery('getPurchaseOrder', [id], (options) =>
      readVersion((call) => business.getPurchaseOrder(id, call), options),
    ),
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
            <OrderStatus status={order.status} />
          </Group>
          <Paper withBorder p="md">
            <Fields
              rows={[
                [
                  t('vendor'),
                  <Anchor key="vendor" component={Link} to={`/vendors/${order.vendorId}`} size="sm">
                    {order.vendorName}
                  </Anchor>,
                ],
                [t('orderDate'), formatDate(order.orderDate)],
                [t('expectedDate'), order.expectedDate && formatDate(order.expectedDate)],
                [t('reference'), order.reference],
                [t('total'), <Money key="total" amount={order.grandTotal} currency={order.currencyCode} fw={600} />],
                [t('notes'), order.notes],
                [t('cancelReason'), order.cancelReason],
              ]}
            />
          </Paper>
          <OrderLines order={order} />
        </Stack>
      )}
    </RecordPage>
  );
}

import { Anchor, Button, Group, Paper, ScrollArea, Skeleton, Stack, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ConfirmDialog } from '../records/confirm-dialog';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';
import { OrderStatus } from './order-status';
import { ReceiveDialog } from './receive-dialog';

type Order = BusinessResponse<'getPurchaseOrder'>['data'];

function OrderActions({ order }: { order: Order }) {
  const { t } = useTranslation('purchasing');
  const { t: shared } = useTranslation('shared');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const [cancelling, cancel] = useDisclosure();
  const [receiving, receive] = useDisclosure();
  const id = String(order.id);
  const refresh = () => queries.invalidateQueries({ queryKey: ['business'] });
  const place = useMutation({
    mutationFn: () => business.placePurchaseOrder(id),
    onSettled: refresh,
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, shared) }),
  });
  const isOpen = order.status === 'ordered' || order.status === 'partially_received';
  const canUpdate = permissions.has('purchase-orders:update');
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
      {permissions.has('purchase-orders:receive') && isOpen && <Button onClick={receive.open}>{t('receive')}</Button>}
      <ConfirmDialog<unknown>
        opened={cancelling}
        close={cancel.close}
        title={t('cancelTitle')}
        action={t('cancel')}
        isDestructive
        needsReason
        submit={(reason) => business.cancelPurchaseOrder(id, { reason })}
        onDone={refresh}
      >
        {t('cancelText')}
      </ConfirmDialog>
      {/* What is open depends on what was received. */}
      <ReceiveDialog
        key={order.lines.map(({ received }) => received).join()}
        order={order}
        opened={receiving}
        close={receive.close}
      />
    </>
  );
}

function OrderLines({ order }: { order: Order }) {
  const { t } = useTranslation('purchasing');
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('lines') }}>
      <Table miw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('product')}</Table.Th>
            <Table.Th scope="col">{t('quantity')}</Table.Th>
            <Table.Th scope="col">{t('received')}</Table.Th>
            <Table.Th scope="col">{t('unitCost')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.lines.map((line) => (
            <Table.Tr key={line.lineId}>
              <Table.Td>
                {line.description} ({line.productCode})
              </Table.Td>
              <Table.Td>{formatDecimal(line.quantity)}</Table.Td>
              <Table.Td>{formatDecimal(line.received)}</Table.Td>
              <Table.Td>{formatDecimal(line.unitCost)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** One order: lines, what has been received, and what can be done with it. */
export default function OrderPage() {
  const { t } = useTranslation('purchasing');
  const id = usePageParam('orderId');
  const { data, error } = useQuery(
    businessQuery('getPurchaseOrder', [id], (options) => business.getPurchaseOrder(id, options)),
  );
  const order = data?.data;
  return (
    <Page title={order?.number ?? t('one')} actions={order && <OrderActions order={order} />}>
      <Failure error={error} />
      {order === undefined && error === null && <Skeleton h={240} />}
      {order !== undefined && (
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
    </Page>
  );
}

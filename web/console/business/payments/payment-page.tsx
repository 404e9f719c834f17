import { Anchor, Button, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatMoney } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ConfirmDialog } from '../records/confirm-dialog';
import { Fields } from '../records/fields';
import { Money } from '../records/money';
import { CreditActions } from './credit-actions';
import { documentPath, readParty } from './ledger';
import type { Side } from './ledger';

async function readPayment(side: Side, id: string, options: { signal: AbortSignal }) {
  const { data } =
    side === 'receivable'
      ? await business.getReceivablePayment(id, options)
      : await business.getPayablePayment(id, options);
  return readParty<typeof data>(data);
}

const paymentQuery = (side: Side, id: string) =>
  businessQuery(side === 'receivable' ? 'getReceivablePayment' : 'getPayablePayment', [id], (options) =>
    readPayment(side, id, options),
  );

function VoidButton({ side, id }: { side: Side; id: string }) {
  const { t } = useTranslation('payments');
  const queries = useQueryClient();
  const [voiding, reverse] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={reverse.open}>
        {t('void')}
      </Button>
      <ConfirmDialog<unknown>
        opened={voiding}
        close={reverse.close}
        title={t('voidTitle')}
        action={t('void')}
        isDestructive
        needsReason
        submit={(reason) =>
          side === 'receivable'
            ? business.voidReceivablePayment(id, { reason })
            : business.voidPayablePayment(id, { reason })
        }
        onDone={() => queries.invalidateQueries({ queryKey: ['business'] })}
      >
        {t('voidText')}
      </ConfirmDialog>
    </>
  );
}

type Payment = Awaited<ReturnType<typeof readPayment>>;

function ReverseButton({ side, id }: { side: Side; id: number }) {
  const { t } = useTranslation('payments');
  const queries = useQueryClient();
  const [reversing, reverse] = useDisclosure();
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={reverse.open}>
        {t('reverse')}
      </Button>
      <ConfirmDialog<unknown>
        opened={reversing}
        close={reverse.close}
        title={t('reverseTitle')}
        action={t('reverse')}
        isDestructive
        needsReason
        submit={(reason) =>
          side === 'receivable'
            ? business.reverseReceivableAllocation(String(id), { reason })
            : business.reversePayableAllocation(String(id), { reason })
        }
        onDone={() => queries.invalidateQueries({ queryKey: ['business'] })}
      >
        {t('reverseText')}
      </ConfirmDialog>
    </>
  );
}

/** The link to a document that a payment settled: by its number, or its id if that cannot be read. */
function DocumentLink({ side, id }: { side: Side; id: number }) {
  const isInvoice = side === 'receivable';
  const { business: permissions } = useSession();
  const { data } = useQuery({
    ...businessQuery(isInvoice ? 'getInvoice' : 'getPayable', [String(id), 'number'], async (options) =>
      isInvoice
        ? (await business.getInvoice(String(id), options)).data.number
        : (await business.getPayable(String(id), options)).data.number,
    ),
    enabled: permissions.has(isInvoice ? 'invoices:read' : 'payables:read'),
  });
  return (
    <Anchor component={Link} size="sm" to={documentPath(side, { id, documentType: isInvoice ? 'invoice' : 'bill' })}>
      {data ?? id}
    </Anchor>
  );
}

/** The documents that a payment settled. */
function Allocations({ side, payment }: { side: Side; payment: Payment }) {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const canReverse = permissions.has(`${side}s:update`) && payment.status === 'posted';
  return (
    <>
      <Title order={2} size="h4">
        {t('allocations')}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('document')}</Table.Th>
            <Table.Th scope="col">{t('date')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('amountLabel')}
            </Table.Th>
            <Table.Th scope="col">{t('status')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payment.allocations.map(({ id: allocation, documentId, date, amount, discount }) => (
            <Table.Tr key={allocation}>
              <Table.Td>
                <DocumentLink side={side} id={documentId} />
              </Table.Td>
              <Table.Td>{formatDate(date)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={amount} currency={payment.currencyCode} />
                {discount > 0 && (
                  <Text size="xs" c="dimmed">
                    {t('discountTaken', { discount: formatMoney(discount, payment.currencyCode) })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {t('applied')} {canReverse && <ReverseButton side={side} id={allocation} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

/** What can be done with a payment that is not void. */
function PaymentActions({ side, payment }: { side: Side; payment: Payment }) {
  const { business: permissions } = useSession();
  const { id, type, partyId, currencyCode, unapplied: available } = payment;
  return (
    <>
      {permissions.has(`${side}s:update`) && <VoidButton side={side} id={String(id)} />}
      {type === 'payment' && <CreditActions source={{ side, kind: 'payment', id, partyId, currencyCode, available }} />}
    </>
  );
}

/** One payment or refund with the documents that it settled. */
export function PaymentPage({ side }: { side: Side }) {
  const { t } = useTranslation('payments');
  const id = usePageParam('paymentId');
  const { data: payment, error } = useQuery(paymentQuery(side, id));
  return (
    <Page
      title={payment === undefined ? t('payment') : t('paymentNumber', { id })}
      actions={payment?.status === 'posted' && <PaymentActions side={side} payment={payment} />}
    >
      <Failure error={error} />
      {payment === undefined && error === null && <Skeleton h={200} />}
      {payment !== undefined && (
        <Stack>
          <Paper withBorder p="md">
            <Fields
              rows={[
                [
                  t(`party.${side}`),
                  <Anchor
                    key="party"
                    component={Link}
                    to={`/${side === 'receivable' ? 'customers' : 'vendors'}/${payment.partyId}`}
                    size="sm"
                  >
                    {payment.partyName}
                  </Anchor>,
                ],
                [t('kind'), t(`kinds.${payment.type}`)],
                [t('status'), t(`statuses.${payment.status}`)],
                [t('date'), formatDate(payment.date)],
                [t('amountLabel'), <Money key="amount" amount={payment.amount} currency={payment.currencyCode} />],
                [t('method'), t(`methods.${payment.method}`)],
                [t('reference'), payment.reference],
                [t('unapplied'), <Money key="rest" amount={payment.unapplied} currency={payment.currencyCode} />],
                [t('voidReason'), payment.voidReason],
              ]}
            />
          </Paper>
          {payment.allocations.length > 0 && <Allocations side={side} payment={payment} />}
        </Stack>
      )}
    </Page>
  );
}

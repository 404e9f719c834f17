import { Anchor, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { Fields } from '../records/fields';
import { Money } from '../records/money';
import { CorrectionButton } from './correction-button';
import { CreditActions } from './credit-actions';
import { CreditLink } from './document-links';
import { readParty } from './ledger';
import type { Side } from './ledger';
import { CreditUses } from './settlements';

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
  return (
    <CorrectionButton
      action={t('void')}
      title={t('voidTitle')}
      text={t('voidText')}
      submit={(reason) =>
        side === 'receivable'
          ? business.voidReceivablePayment(id, { reason })
          : business.voidPayablePayment(id, { reason })
      }
    />
  );
}

type Payment = Awaited<ReturnType<typeof readPayment>>;

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
                ...(payment.refundOf === null
                  ? []
                  : ([[t('refundOf'), <CreditLink key="credit" side={side} credit={payment.refundOf} />]] as const)),
                [t('unapplied'), <Money key="rest" amount={payment.unapplied} currency={payment.currencyCode} />],
                [t('voidReason'), payment.voidReason],
              ]}
            />
          </Paper>
          <CreditUses side={side} credit={{ paymentId: payment.id }} currency={payment.currencyCode} />
        </Stack>
      )}
    </Page>
  );
}

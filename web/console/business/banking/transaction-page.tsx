import { Alert, Anchor, Button, Grid, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ConfirmDialog } from '../records/confirm-dialog';
import { Fields } from '../records/fields';
import { Money } from '../records/money';
import { AssignForm } from './assign-form';
import { Proposals } from './proposals';
import { TransactionState } from './transaction';
import type { BankTransaction } from './transaction';
import { notifyFailure } from '../../components/notify-failure';

function Facts({ transaction }: { transaction: BankTransaction }) {
  const { t } = useTranslation('banking');
  const { amount, currencyCode, side, paymentId } = transaction;
  return (
    <Fields
      rows={[
        [t('state'), <TransactionState key="state" state={transaction.state} />],
        [t('amount'), <Money key="amount" amount={amount} currency={currencyCode} fw={600} />],
        [t('bookingDate'), formatDate(transaction.bookingDate)],
        [t('valueDate'), formatDate(transaction.valueDate)],
        [t('counterparty'), transaction.counterpartyName],
        [t('counterpartyIban'), transaction.counterpartyIban],
        [t('remittance'), transaction.remittance],
        [t('endToEndId'), transaction.endToEndId],
        [t('account'), transaction.account],
        [
          t('payment'),
          paymentId === null ? null : (
            <Anchor key="payment" component={Link} to={`/${side}s/payments/${paymentId}`} size="sm">
              {t('showPayment')}
            </Anchor>
          ),
        ],
      ]}
    />
  );
}

/** Sets an open transaction aside, or opens one again that was decided. */
function Actions({ transaction }: { transaction: BankTransaction }) {
  const { t } = useTranslation('banking');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const [ignoring, ignore] = useDisclosure();
  const id = String(transaction.id);
  const refresh = () => queries.invalidateQueries({ queryKey: ['business'] });
  const reopen = useMutation({
    mutationFn: () => business.reopenBankTransaction(id),
    onSuccess: refresh,
    onError: notifyFailure,
  });
  if (!permissions.has('banking:update')) return null;
  if (transaction.state !== 'open')
    return (
      <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        {t('reopen')}
      </Button>
    );
  return (
    <>
      <Button variant="default" onClick={ignore.open}>
        {t('ignore')}
      </Button>
      <ConfirmDialog
        opened={ignoring}
        close={ignore.close}
        title={t('ignoreTitle')}
        action={t('ignore')}
        needsReason
        submit={(reason) => business.ignoreBankTransaction(id, { reason })}
        onDone={refresh}
      >
        {t('ignoreText')}
      </ConfirmDialog>
    </>
  );
}

function Matching({ transaction }: { transaction: BankTransaction }) {
  const { t } = useTranslation('banking');
  const { business: permissions } = useSession();
  const canPay = permissions.has(transaction.side === 'receivable' ? 'receivables:create' : 'payables:create');
  const canReject = permissions.has('banking:update');
  const canAccept = canReject && canPay;
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('proposals')}
      </Title>
      <Proposals transaction={transaction} canAccept={canAccept} canReject={canReject} />
      {canAccept && (
        <>
          <Title order={2} size="h4">
            {t('byHand')}
          </Title>
          <AssignForm transaction={transaction} />
        </>
      )}
    </Stack>
  );
}

/** One transaction: what the bank reported, the documents that it may pay and why, and the decision. */
export default function TransactionPage() {
  const { t } = useTranslation('banking');
  const id = usePageParam('transactionId');
  const { data, error } = useQuery(
    businessQuery('getBankTransaction', [id], (options) => business.getBankTransaction(id, options)),
  );
  const transaction = data?.data;
  return (
    <Page
      title={transaction === undefined ? t('transaction') : t('transactionNumber', { id })}
      actions={transaction && <Actions transaction={transaction} />}
    >
      <Failure error={error} />
      {transaction === undefined ? (
        error === null && <Skeleton h={240} />
      ) : (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <Stack>
              {transaction.ignoreReason !== null && (
                <Alert color="gray">{t('ignoredBecause', { reason: transaction.ignoreReason })}</Alert>
              )}
              <Paper withBorder p="md">
                <Facts transaction={transaction} />
              </Paper>
            </Stack>
          </Grid.Col>
          {transaction.state === 'open' && (
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Matching transaction={transaction} />
            </Grid.Col>
          )}
        </Grid>
      )}
    </Page>
  );
}

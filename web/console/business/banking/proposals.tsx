import { Badge, Button, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatMoney, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import type { BankTransaction } from './transaction';
import { notifyFailure } from '../../components/notify-failure';

type Proposal = BusinessResponse<'listMatchProposals'>['data'][number];

type Evidence = Proposal['evidence'][number];

/** Scores from which a proposal is likely. */
const LIKELY = 70;

/** Matches a transaction with documents or a registered payment, and reads everything again that the payment has changed. */
export function useAccept(transaction: BankTransaction) {
  const { t } = useTranslation('banking');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BusinessBody<'acceptMatch'>) => business.acceptMatch(String(transaction.id), body),
    onSuccess: async (_, { paymentId }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t(paymentId === undefined ? 'accepted' : 'matchedPayment') });
    },
    onError: notifyFailure,
  });
}

/** Rejects a proposal, or makes every rejected one possible again. */
function useRejections(transaction: BankTransaction) {
  const queries = useQueryClient();
  const id = String(transaction.id);
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business'] }),
    onError: notifyFailure,
  };
  const reject = useMutation({
    mutationFn: (body: BusinessBody<'rejectMatchProposal'>) => business.rejectMatchProposal(id, body),
    ...options,
  });
  const restore = useMutation({ mutationFn: () => business.restoreMatchProposals(id, {}), ...options });
  return { reject, restore };
}

/** Writes a reason in the language of the console. */
function useEvidenceText({ partyName: party, payment }: Proposal, { currencyCode }: BankTransaction) {
  const { t } = useTranslation('banking');
  return ({ reason, documents, amount, discount }: Evidence): string => {
    const numbers = documents.join(', ');
    if (reason === 'payment')
      return payment === null
        ? ''
        : t(`reasons.payment_${payment.type}`, { id: payment.id, date: formatDate(payment.date) });
    if (reason !== 'amount' || amount === null) return t(`reasons.${reason}`, { party, numbers });
    const values = { numbers, count: documents.length, amount: formatMoney(amount, currencyCode) };
    if (discount === null) return t('reasons.amount', values);
    return t('reasons.amountLessDiscount', { ...values, discount: formatMoney(discount, currencyCode) });
  };
}

interface ProposalCardProps {
  proposal: Proposal;
  transaction: BankTransaction;
  canAccept: boolean;
  /** Needed to accept, too. */
  canReject: boolean;
}

function ProposalActions({ proposal, transaction, canAccept }: Omit<ProposalCardProps, 'canReject'>) {
  const { t } = useTranslation('banking');
  const { mutate, isPending } = useAccept(transaction);
  const { reject } = useRejections(transaction);
  const { partyId, partyName: party, payment, allocations } = proposal;
  const registered = payment && { paymentId: payment.id, side: payment.side };
  const match = registered ?? {
    partyId,
    allocations: allocations.map(({ documentId, amount }) => ({ documentId, amount })),
  };
  const rejection = registered ?? { partyId, documentIds: allocations.map(({ documentId }) => documentId) };
  return (
    <Group>
      {(canAccept || payment !== null) && (
        <Button size="xs" loading={isPending} aria-label={t('acceptProposal', { party })} onClick={() => mutate(match)}>
          {t('accept')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        loading={reject.isPending}
        aria-label={t('rejectProposal', { party })}
        onClick={() => reject.mutate(rejection)}
      >
        {t('reject')}
      </Button>
    </Group>
  );
}

function ProposalCard({ proposal, transaction, canAccept, canReject }: ProposalCardProps) {
  const { t } = useTranslation('banking');
  const { partyName, payment, score, evidence, allocations, rest } = proposal;
  const { currencyCode } = transaction;
  const describe = useEvidenceText(proposal, transaction);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" align="start">
          <div>
            <Text fw={600}>{partyName}</Text>
            {payment !== null && (
              <Text size="sm">
                {t(`registered_${payment.type}`, { id: payment.id, date: formatDate(payment.date) })}
              </Text>
            )}
            {allocations.map(({ documentId, number, amount }) => (
              <Text key={documentId} size="sm">
                {t('allocation', { number, amount: formatMoney(amount, currencyCode) })}
              </Text>
            ))}
            {rest > 0 && (
              <Text size="sm" c="dimmed">
                {t('rest', { amount: formatMoney(rest, currencyCode) })}
              </Text>
            )}
          </div>
          <Badge variant="light" color={score >= LIKELY ? 'green' : 'yellow'}>
            {t('score', { score: formatNumber(score) })}
          </Badge>
        </Group>
        <List size="sm" aria-label={t('explanation')}>
          {evidence.map((each) => (
            <List.Item key={each.reason}>{`${describe(each)} (${t('points', { count: each.points })})`}</List.Item>
          ))}
        </List>
        {canReject && <ProposalActions {...{ proposal, transaction, canAccept }} />}
      </Stack>
    </Paper>
  );
}

/** Says how many proposals were rejected, and makes them again. */
function Rejected({ transaction, canReject }: Omit<ProposalCardProps, 'proposal' | 'canAccept'>) {
  const { t } = useTranslation('banking');
  const { restore } = useRejections(transaction);
  const { rejectedProposals: count } = transaction;
  if (count === 0) return null;
  return (
    <Group>
      <Text size="sm" c="dimmed">
        {t('rejected', { count })}
      </Text>
      {canReject && (
        <Button size="xs" variant="subtle" loading={restore.isPending} onClick={() => restore.mutate()}>
          {t('restore')}
        </Button>
      )}
    </Group>
  );
}

interface ProposalsProps {
  transaction: BankTransaction;
  canAccept: boolean;
  canReject: boolean;
}

/** Registered payments and the documents that a transaction may pay, best first, each with the reasons. */
export function Proposals({ transaction, canAccept, canReject }: ProposalsProps) {
  const { t } = useTranslation('banking');
  const id = String(transaction.id);
  const { data, error } = useQuery(
    businessQuery('listMatchProposals', [id], (options) => business.listMatchProposals(id, options)),
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={120} />;
  return (
    <>
      {data.data.length === 0 && <Text size="sm">{t('noProposals')}</Text>}
      {data.data.map((proposal) => (
        <ProposalCard
          key={`${proposal.partyId} ${proposal.payment?.side ?? ''} ${proposal.payment?.id ?? ''} ${proposal.allocations.map(({ documentId }) => documentId).join(' ')}`}
          proposal={proposal}
          transaction={transaction}
          canAccept={canAccept}
          canReject={canReject}
        />
      ))}
      <Rejected transaction={transaction} canReject={canReject} />
    </>
  );
}

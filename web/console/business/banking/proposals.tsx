import { Badge, Button, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { formatMoney, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import type { BankTransaction } from './transaction';

type Proposal = BusinessResponse<'listMatchProposals'>['data'][number];

/** Scores from which a proposal is likely. */
const LIKELY = 70;

/** Matches a transaction with documents, and reads everything again that the payment has changed. */
export function useAccept(transaction: BankTransaction) {
  const { t } = useTranslation('banking');
  const { t: shared } = useTranslation('shared');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BusinessBody<'acceptMatch'>) => business.acceptMatch(String(transaction.id), body),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t('accepted') });
    },
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, shared) }),
  });
}

interface ProposalCardProps {
  proposal: Proposal;
  transaction: BankTransaction;
  canAccept: boolean;
}

function ProposalCard({ proposal, transaction, canAccept }: ProposalCardProps) {
  const { t } = useTranslation('banking');
  const { mutate, isPending } = useAccept(transaction);
  const { partyId, partyName, score, evidence, allocations, rest } = proposal;
  const { currencyCode } = transaction;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" align="start">
          <div>
            <Text fw={600}>{partyName}</Text>
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
          {evidence.map(({ reason, points, text }) => (
            <List.Item key={reason}>{`${text} (${t('points', { count: points })})`}</List.Item>
          ))}
        </List>
        {canAccept && (
          <Group>
            <Button
              size="xs"
              loading={isPending}
              aria-label={t('acceptProposal', { party: partyName })}
              onClick={() =>
                mutate({
                  partyId,
                  allocations: allocations.map(({ documentId, amount }) => ({ documentId, amount })),
                })
              }
            >
              {t('accept')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** The documents that a transaction may pay, best first, each with the reasons. */
export function Proposals({ transaction, canAccept }: { transaction: BankTransaction; canAccept: boolean }) {
  const { t } = useTranslation('banking');
  const id = String(transaction.id);
  const { data, error } = useQuery(
    businessQuery('listMatchProposals', [id], (options) => business.listMatchProposals(id, options)),
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={120} />;
  if (data.data.length === 0) return <Text size="sm">{t('noProposals')}</Text>;
  return data.data.map((proposal) => (
    <ProposalCard
      key={`${proposal.partyId} ${proposal.allocations.map(({ documentId }) => documentId).join(' ')}`}
      proposal={proposal}
      transaction={transaction}
      canAccept={canAccept}
    />
  ));
}

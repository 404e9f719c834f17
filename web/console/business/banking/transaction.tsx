import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';

export type BankTransaction = BusinessResponse<'getBankTransaction'>['data'];

export const STATES = ['open', 'matched', 'ignored'] as const;

const COLORS = { open: 'blue', matched: 'green', ignored: 'gray' } as const;

/** Whether a transaction still waits for a decision. */
export function TransactionState({ state }: Pick<BankTransaction, 'state'>) {
  const { t } = useTranslation('banking');
  return (
    <Badge variant="light" color={COLORS[state]}>
      {t(`states.${state}`)}
    </Badge>
  );
}

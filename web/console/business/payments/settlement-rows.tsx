import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { useSession } from '../../session';
import { CorrectionButton } from './correction-button';
import type { Side } from './ledger';
import type { SettlementRow } from './settlement-table';

/** The document, or the credit. */
export type Item = { documentId: number } | { paymentId: number } | { creditNoteId: number };

/** As many as the API lists at once, oldest first. */
const ALL = { page: 1, pageSize: 100, sortBy: 'date', sortDir: 'asc' } as const;

/** A filter of the API accepts several ids. */
const toQuery = (item: Item) => ({
  ...ALL,
  ...Object.fromEntries(Object.entries(item).map(([key, id]) => [key, [id]])),
});

export type Allocation = BusinessResponse<'listReceivableAllocations'>['data'][number];

const allocationsQuery = (side: Side, item: Item) => {
  const query = toQuery(item);
  return side === 'receivable'
    ? businessQuery('listReceivableAllocations', [query], (options) =>
        business.listReceivableAllocations(query, options),
      )
    : businessQuery('listPayableAllocations', [query], (options) => business.listPayableAllocations(query, options));
};

function ReverseButton({ side, id }: { side: Side; id: number }) {
  const { t } = useTranslation('payments');
  return (
    <CorrectionButton
      action={t('reverse')}
      title={t('reverseTitle')}
      text={t('reverseText')}
      submit={(reason) =>
        side === 'receivable'
          ? business.reverseReceivableAllocation(String(id), { reason })
          : business.reversePayableAllocation(String(id), { reason })
      }
      isCompact
    />
  );
}

interface Rows {
  rows: SettlementRow[];
  error: Error | null;
}

/**
 * The applications of credit to a document, or of a credit; none for users who may not see the accounts.
 *
 * @param present what a row shows, and its amount
 */
export function useAllocationRows(
  side: Side,
  item: Item,
  present: (allocation: Allocation) => { record: ReactNode; amount: number },
): Rows {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const { data, error } = useQuery({ ...allocationsQuery(side, item), enabled: permissions.has(`${side}s:read`) });
  const canReverse = permissions.has(`${side}s:update`);
  const rows = (data?.data ?? []).map((allocation) => {
    const { id, date, discount, reversedOn } = allocation;
    return {
      ...present(allocation),
      key: `allocation ${id}`,
      date,
      discount,
      status: reversedOn === null ? t('applied') : t('reversedOn', { date: formatDate(reversedOn) }),
      correction: canReverse && reversedOn === null && <ReverseButton side={side} id={id} />,
    };
  });
  return { rows, error };
}

/** A credit, of which a part can be paid out. */
export type Credit = Exclude<Item, { documentId: number }>;

const refundsQuery = (side: Side, credit: Credit) => {
  const query = {
    ...ALL,
    ...('paymentId' in credit
      ? { refundOfPaymentId: [credit.paymentId] }
      : { refundOfCreditNoteId: [credit.creditNoteId] }),
  };
  return businessQuery(
    side === 'receivable' ? 'listReceivablePayments' : 'listPayablePayments',
    [query],
    (options: { signal: AbortSignal }): Promise<{ data: Refund[] }> =>
      side === 'receivable'
        ? business.listReceivablePayments(query, options)
        : business.listPayablePayments(query, options),
  );
};

interface Refund {
  id: number;
  date: string;
  amount: number;
  voidedOn: string | null;
}

/** The refunds of a credit; none for users who may not see the accounts. A refund is voided on its own page. */
export function useRefundRows(side: Side, credit: Credit, present: (id: number) => ReactNode): Rows {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const { data, error } = useQuery({ ...refundsQuery(side, credit), enabled: permissions.has(`${side}s:read`) });
  const rows = (data?.data ?? []).map(({ id, date, amount, voidedOn }) => ({
    key: `refund ${id}`,
    record: present(id),
    date,
    amount,
    discount: 0,
    status: voidedOn === null ? t('statuses.posted') : t('voidedOn', { date: formatDate(voidedOn) }),
  }));
  return { rows, error };
}

interface WriteOff {
  id: number;
  date: string;
  amount: number;
  reason: string | null;
  voidedOn: string | null;
}

async function readWriteOffs(side: Side, item: Item, options: { signal: AbortSignal }): Promise<WriteOff[]> {
  const query = toQuery(item);
  const { data } =
    side === 'receivable'
      ? await business.listReceivableWriteOffs(query, options)
      : await business.listPayableWriteOffs(query, options);
  return data;
}

const writeOffsQuery = (side: Side, item: Item) =>
  businessQuery(side === 'receivable' ? 'listReceivableWriteOffs' : 'listPayableWriteOffs', [item], (options) =>
    readWriteOffs(side, item, options),
  );

function VoidButton({ side, id }: { side: Side; id: number }) {
  const { t } = useTranslation('payments');
  return (
    <CorrectionButton
      action={t('void')}
      title={t('voidWriteOffTitle')}
      text={t('voidWriteOffText')}
      submit={(reason) =>
        side === 'receivable'
          ? business.voidReceivableWriteOff(String(id), { reason })
          : business.voidPayableWriteOff(String(id), { reason })
      }
      isCompact
    />
  );
}

/** The write-offs of a document or credit; none for users who may not see the accounts. */
export function useWriteOffRows(side: Side, item: Item): Rows {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const { data, error } = useQuery({ ...writeOffsQuery(side, item), enabled: permissions.has(`${side}s:read`) });
  const canVoid = permissions.has(`${side}s:update`);
  const rows = (data ?? []).map(({ id, date, amount, reason, voidedOn }) => ({
    key: `write-off ${id}`,
    record: t('writtenOff', { reason }),
    date,
    amount,
    discount: 0,
    status: voidedOn === null ? t('statuses.posted') : t('voidedOn', { date: formatDate(voidedOn) }),
    correction: canVoid && voidedOn === null && <VoidButton side={side} id={id} />,
  }));
  return { rows, error };
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { useSession } from '../../session';
import { readAll } from '../records/read-all';
import { CorrectionButton } from './correction-button';
import type { Side } from './ledger';
import type { SettlementRow } from './settlement-table';

/** A document, or credit: that of a payment or of a credit note. */
export type Item = { documentId: number } | { paymentId: number } | { creditNoteId: number };

type Options = { signal: AbortSignal };

/** As many at once as the API lists, oldest first. */
const ALL = { pageSize: 100, sortBy: 'date', sortDir: 'asc' } as const;

/** A filter of the API accepts several ids. */
const toFilter = (item: Item) => Object.fromEntries(Object.entries(item).map(([key, id]) => [key, [id]]));

export type Allocation = BusinessResponse<'listReceivableAllocations'>['data'][number];

const readAllocations = (side: Side, item: Item, options: Options): Promise<Allocation[]> =>
  readAll((page) => {
    const query = { ...ALL, ...toFilter(item), page };
    return side === 'receivable'
      ? business.listReceivableAllocations(query, options)
      : business.listPayableAllocations(query, options);
  });

const allocationsQuery = (side: Side, item: Item) =>
  businessQuery(side === 'receivable' ? 'listReceivableAllocations' : 'listPayableAllocations', [item], (options) =>
    readAllocations(side, item, options),
  );

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
 * The applications of credit to a document, or of a credit.
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
  const { data, error } = useQuery(allocationsQuery(side, item));
  const canReverse = permissions.has(`${side}s:update`);
  const rows = (data ?? []).map((allocation) => {
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

interface Refund {
  id: number;
  date: string;
  amount: number;
  voidedOn: string | null;
}

const readRefunds = (side: Side, credit: Credit, options: Options): Promise<Refund[]> =>
  readAll<Refund>((page) => {
    const filter =
      'paymentId' in credit
        ? { refundOfPaymentId: [credit.paymentId] }
        : { refundOfCreditNoteId: [credit.creditNoteId] };
    const query = { ...ALL, ...filter, page };
    return side === 'receivable'
      ? business.listReceivablePayments(query, options)
      : business.listPayablePayments(query, options);
  });

const refundsQuery = (side: Side, credit: Credit) =>
  businessQuery(
    side === 'receivable' ? 'listReceivablePayments' : 'listPayablePayments',
    ['refunds', credit],
    (options) => readRefunds(side, credit, options),
  );

/** The refunds of a credit. A refund is voided on its own page. */
export function useRefundRows(side: Side, credit: Credit, present: (id: number) => ReactNode): Rows {
  const { t } = useTranslation('payments');
  const { data, error } = useQuery(refundsQuery(side, credit));
  const rows = (data ?? []).map(({ id, date, amount, voidedOn }) => ({
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

const readWriteOffs = (side: Side, item: Item, options: Options): Promise<WriteOff[]> =>
  readAll<WriteOff>((page) => {
    const query = { ...ALL, ...toFilter(item), page };
    return side === 'receivable'
      ? business.listReceivableWriteOffs(query, options)
      : business.listPayableWriteOffs(query, options);
  });

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

/** The write-offs of a document or credit. */
export function useWriteOffRows(side: Side, item: Item): Rows {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const { data, error } = useQuery(writeOffsQuery(side, item));
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

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import { ALL, allocationsQuery, useAllocationRow } from './allocations';
import type { Allocation } from './allocations';
import { CorrectionButton } from './correction-button';
import { CreditNoteLink, PaymentLink } from './document-links';
import type { Side } from './ledger';
import { SettlementTable } from './settlement-table';
import type { SettlementRow } from './settlement-table';

interface WriteOff {
  id: number;
  date: string;
  amount: number;
  reason: string | null;
  voidedOn: string | null;
}

async function readWriteOffs(side: Side, documentId: number, options: { signal: AbortSignal }): Promise<WriteOff[]> {
  const query = { ...ALL, documentId: [documentId] };
  const { data } =
    side === 'receivable'
      ? await business.listReceivableWriteOffs(query, options)
      : await business.listPayableWriteOffs(query, options);
  return data;
}

const writeOffsQuery = (side: Side, documentId: number) =>
  businessQuery(side === 'receivable' ? 'listReceivableWriteOffs' : 'listPayableWriteOffs', [documentId], (options) =>
    readWriteOffs(side, documentId, options),
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

const toCredit = (side: Side, { paymentId, creditNoteId }: Allocation) =>
  paymentId === null ? (
    <CreditNoteLink side={side} id={creditNoteId ?? 0} />
  ) : (
    <PaymentLink side={side} id={paymentId} />
  );

function useWriteOffRow(side: Side) {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const canVoid = permissions.has(`${side}s:update`);
  return ({ id, date, amount, reason, voidedOn }: WriteOff): SettlementRow => ({
    key: `write-off ${id}`,
    record: t('writtenOff', { reason }),
    date,
    amount,
    discount: 0,
    status: voidedOn === null ? t('statuses.posted') : t('voidedOn', { date: formatDate(voidedOn) }),
    correction: canVoid && voidedOn === null && <VoidButton side={side} id={id} />,
  });
}

interface SettlementsProps {
  side: Side;
  document: { id: number; currencyCode: string };
}

/** What settled an invoice or bill, oldest first, for users who may see the accounts. */
export function Settlements({ side, document: { id, currencyCode } }: SettlementsProps) {
  const { t } = useTranslation('payments');
  const enabled = useSession().business.has(`${side}s:read`);
  const allocations = useQuery({ ...allocationsQuery(side, { documentId: [id] }), enabled });
  const writeOffs = useQuery({ ...writeOffsQuery(side, id), enabled });
  const toRow = useAllocationRow(side);
  const toWriteOffRow = useWriteOffRow(side);
  const rows = [
    ...(allocations.data?.data ?? []).map((allocation) => ({
      ...toRow(allocation),
      record: toCredit(side, allocation),
      amount: allocation.settled,
    })),
    ...(writeOffs.data ?? []).map(toWriteOffRow),
  ].toSorted((one, other) => one.date.localeCompare(other.date));
  return (
    <>
      <Failure error={allocations.error ?? writeOffs.error} />
      {rows.length > 0 && (
        <SettlementTable title={t('settledBy')} recordLabel={t('settlement')} rows={rows} currency={currencyCode} />
      )}
    </>
  );
}

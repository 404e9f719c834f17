import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import { CorrectionButton } from './correction-button';
import { DocumentLink } from './document-links';
import type { Side } from './ledger';
import { SettlementTable } from './settlement-table';

export type Allocation = BusinessResponse<'listReceivableAllocations'>['data'][number];

/** As many as the API lists at once, oldest first. */
export const ALL = { page: 1, pageSize: 100, sortBy: 'date', sortDir: 'asc' } as const;

interface AllocationFilter {
  documentId?: number[];
  creditNoteId?: number[];
}

/** The query of the applications of credit to a document, or of a credit note. */
export const allocationsQuery = (side: Side, filter: AllocationFilter) => {
  const query = { ...ALL, ...filter };
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

/** The fields of a row that every application of credit has: when, its state, and how it is reversed. */
export function useAllocationRow(side: Side) {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const canReverse = permissions.has(`${side}s:update`);
  return ({ id, date, discount, reversedOn }: Allocation) => ({
    key: `allocation ${id}`,
    date,
    discount,
    status: reversedOn === null ? t('applied') : t('reversedOn', { date: formatDate(reversedOn) }),
    correction: canReverse && reversedOn === null && <ReverseButton side={side} id={id} />,
  });
}

interface AllocationsProps {
  side: Side;
  allocations: readonly Allocation[];
  currency: string;
}

/** The documents that a payment or credit note settled. */
export function Allocations({ side, allocations, currency }: AllocationsProps) {
  const { t } = useTranslation('payments');
  const toRow = useAllocationRow(side);
  if (allocations.length === 0) return null;
  return (
    <SettlementTable
      title={t('allocations')}
      recordLabel={t('document')}
      currency={currency}
      rows={allocations.map((allocation) => ({
        ...toRow(allocation),
        record: <DocumentLink side={side} id={allocation.documentId} />,
        amount: allocation.amount,
      }))}
    />
  );
}

interface CreditNoteAllocationsProps {
  side: Side;
  creditNoteId: number;
  currency: string;
}

/** The documents that a credit note settled, for users who may see the accounts. */
export function CreditNoteAllocations({ side, creditNoteId, currency }: CreditNoteAllocationsProps) {
  const { business: permissions } = useSession();
  const { data, error } = useQuery({
    ...allocationsQuery(side, { creditNoteId: [creditNoteId] }),
    enabled: permissions.has(`${side}s:read`),
  });
  return (
    <>
      <Failure error={error} />
      <Allocations side={side} allocations={data?.data ?? []} currency={currency} />
    </>
  );
}

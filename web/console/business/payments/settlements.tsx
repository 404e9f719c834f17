import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import { CreditLink, DocumentLink, PaymentLink } from './document-links';
import type { Side } from './ledger';
import { useAllocationRows, useRefundRows, useWriteOffRows } from './settlement-rows';
import type { Credit } from './settlement-rows';
import { SettlementTable } from './settlement-table';

interface SettlementsProps {
  side: Side;
  document: { id: number; currencyCode: string };
}

function DocumentSettlements({ side, document: { id, currencyCode } }: SettlementsProps) {
  const { t } = useTranslation('payments');
  const item = { documentId: id };
  const allocations = useAllocationRows(side, item, (allocation) => ({
    record: <CreditLink side={side} credit={allocation} />,
    amount: allocation.settled,
  }));
  const writeOffs = useWriteOffRows(side, item);
  const rows = [...allocations.rows, ...writeOffs.rows].toSorted((one, other) => one.date.localeCompare(other.date));
  return (
    <>
      <Failure error={allocations.error ?? writeOffs.error} />
      <SettlementTable title={t('settledBy')} recordLabel={t('settlement')} rows={rows} currency={currencyCode} />
    </>
  );
}

/** What settled an invoice or bill, oldest first, for users who may see the accounts. */
export const Settlements = (props: SettlementsProps) =>
  useSession().business.has(`${props.side}s:read`) && <DocumentSettlements {...props} />;

interface CreditUsesProps {
  side: Side;
  credit: Credit;
  currency: string;
}

function UsesOfCredit({ side, credit, currency }: CreditUsesProps) {
  const { t } = useTranslation('payments');
  const allocations = useAllocationRows(side, credit, ({ documentId, documentNumber, amount }) => ({
    record: <DocumentLink side={side} id={documentId} number={documentNumber} />,
    amount,
  }));
  const refunds = useRefundRows(side, credit, (id) => <PaymentLink side={side} id={id} />);
  const writeOffs = useWriteOffRows(side, credit);
  const table = { recordLabel: t('document'), currency };
  return (
    <>
      <Failure error={allocations.error ?? refunds.error ?? writeOffs.error} />
      <SettlementTable {...table} title={t('allocations')} rows={allocations.rows} />
      <SettlementTable {...table} title={t('refunds')} recordLabel={t('payment')} rows={refunds.rows} />
      <SettlementTable {...table} title={t('writeOffs')} recordLabel={t('reason')} rows={writeOffs.rows} />
    </>
  );
}

/**
 * The documents that a payment or credit note settled, and what of it was refunded or written off, for users who may see
 * the accounts.
 */
export const CreditUses = (props: CreditUsesProps) =>
  useSession().business.has(`${props.side}s:read`) && <UsesOfCredit {...props} />;

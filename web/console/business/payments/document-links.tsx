import { useTranslation } from 'react-i18next';
import { RecordLink } from '../records/record-link';
import { documentPath } from './ledger';
import type { Side } from './ledger';

interface DocumentLinkProps {
  side: Side;
  id: number;
  number: string;
}

/** The invoice or bill that was settled. */
export const DocumentLink = ({ side, id, number }: DocumentLinkProps) =>
  side === 'receivable' ? (
    <RecordLink permission="invoices:read" to={documentPath(side, { id, documentType: 'invoice' })} label={number} />
  ) : (
    <RecordLink permission="payables:read" to={documentPath(side, { id, documentType: 'bill' })} label={number} />
  );

/** A payment or refund, which has no number but its id. */
export function PaymentLink({ side, id }: { side: Side; id: number }) {
  const { t } = useTranslation('payments');
  return <RecordLink permission={`${side}s:read`} to={`/${side}s/payments/${id}`} label={t('paymentNumber', { id })} />;
}

interface CreditLinkProps {
  side: Side;
  credit: { paymentId: number | null; creditNoteId: number | null; creditNoteNumber: string | null };
}

/** The payment or credit note that settled a document or was refunded. */
export function CreditLink({ side, credit: { paymentId, creditNoteId, creditNoteNumber } }: CreditLinkProps) {
  if (paymentId !== null) return <PaymentLink side={side} id={paymentId} />;
  const label = creditNoteNumber ?? '';
  return side === 'receivable' ? (
    <RecordLink permission="credit-notes:read" to={`/credit-notes/${creditNoteId}`} label={label} />
  ) : (
    <RecordLink permission="payables:read" to={`/bills/${creditNoteId}`} label={label} />
  );
}

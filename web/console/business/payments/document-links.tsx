import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { useSession } from '../../session';
import { RecordLink } from '../records/record-link';
import { documentPath } from './ledger';
import type { Side } from './ledger';

interface RecordOfSide {
  side: Side;
  id: number;
}

type Options = { signal: AbortSignal };

interface NumberLinkProps {
  id: number;
  operation: 'getInvoice' | 'getCreditNote' | 'getPayable';
  read: (id: string, options: Options) => Promise<{ data: { number: string | null } }>;
  permission: 'invoices:read' | 'credit-notes:read' | 'payables:read';
  to: string;
}

/** A record of which only the id is known, as a link: its number, or its id where the number cannot be read. */
function NumberLink({ id, operation, read, permission, to }: NumberLinkProps) {
  const { business: permissions } = useSession();
  const { data } = useQuery({
    ...businessQuery(
      operation,
      [String(id), 'number'],
      async (options) => (await read(String(id), options)).data.number,
    ),
    enabled: permissions.has(permission),
  });
  return <RecordLink permission={permission} to={to} label={data ?? String(id)} />;
}

const PAYABLE = {
  operation: 'getPayable',
  read: (id: string, options: Options) => business.getPayable(id, options),
  permission: 'payables:read',
} as const;

const INVOICE = {
  operation: 'getInvoice',
  read: (id: string, options: Options) => business.getInvoice(id, options),
  permission: 'invoices:read',
} as const;

const CREDIT_NOTE = {
  operation: 'getCreditNote',
  read: (id: string, options: Options) => business.getCreditNote(id, options),
  permission: 'credit-notes:read',
} as const;

/** The invoice or bill that was settled. */
export function DocumentLink({ side, id }: RecordOfSide) {
  const isInvoice = side === 'receivable';
  const to = documentPath(side, { id, documentType: isInvoice ? 'invoice' : 'bill' });
  return <NumberLink {...(isInvoice ? INVOICE : PAYABLE)} id={id} to={to} />;
}

function CreditNoteLink({ side, id }: RecordOfSide) {
  return side === 'receivable' ? (
    <NumberLink {...CREDIT_NOTE} id={id} to={`/credit-notes/${id}`} />
  ) : (
    <NumberLink {...PAYABLE} id={id} to={`/bills/${id}`} />
  );
}

/** A payment or refund, which has no number but its id. */
export function PaymentLink({ side, id }: RecordOfSide) {
  const { t } = useTranslation('payments');
  return <RecordLink permission={`${side}s:read`} to={`/${side}s/payments/${id}`} label={t('paymentNumber', { id })} />;
}

interface CreditLinkProps {
  side: Side;
  paymentId: number | null;
  creditNoteId: number | null;
}

/** The payment or credit note that settled a document or was refunded. */
export const CreditLink = ({ side, paymentId, creditNoteId }: CreditLinkProps) =>
  paymentId === null ? (
    <CreditNoteLink side={side} id={creditNoteId ?? 0} />
  ) : (
    <PaymentLink side={side} id={paymentId} />
  );

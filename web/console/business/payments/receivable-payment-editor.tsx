import { PaymentEditor } from './payment-editor';

/** A new payment among the receivables. */
export default function ReceivablePaymentEditorPage() {
  return <PaymentEditor side="receivable" />;
}

import { PaymentEditor } from './payment-editor';

/** A new payment among the payables. */
export default function PayablePaymentEditorPage() {
  return <PaymentEditor side="payable" />;
}

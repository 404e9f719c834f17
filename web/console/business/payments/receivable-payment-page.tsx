import { PaymentPage } from './payment-page';

/** One payment or refund among the receivables. */
export default function ReceivablePaymentPage() {
  return <PaymentPage side="receivable" />;
}

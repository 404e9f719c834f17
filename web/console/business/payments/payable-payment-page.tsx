import { PaymentPage } from './payment-page';

/** One payment or refund among the payables. */
export default function PayablePaymentPage() {
  return <PaymentPage side="payable" />;
}

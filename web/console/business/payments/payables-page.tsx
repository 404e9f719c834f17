import { LedgerPage } from './ledger-page';

/** The payables of the company. */
export default function PayablesPage() {
  return <LedgerPage side="payable" />;
}

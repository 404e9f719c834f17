import { LedgerPage } from './ledger-page';

/** The receivables of the company. */
export default function ReceivablesPage() {
  return <LedgerPage side="receivable" />;
}

import { VENDOR } from './party-kind';
import { PartyPage } from './party-page';

/** One vendor with balance and documents. */
export default function VendorPagePage() {
  return <PartyPage kind={VENDOR} />;
}

import { CUSTOMER } from './party-kind';
import { PartyPage } from './party-page';

/** One customer with balance and documents. */
export default function CustomerPagePage() {
  return <PartyPage kind={CUSTOMER} />;
}

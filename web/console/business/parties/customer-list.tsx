import { CUSTOMER } from './party-kind';
import { PartyList } from './party-list';

/** Every customer of the company. */
export default function CustomerListPage() {
  return <PartyList kind={CUSTOMER} />;
}

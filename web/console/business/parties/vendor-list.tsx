import { VENDOR } from './party-kind';
import { PartyList } from './party-list';

/** Every vendor of the company. */
export default function VendorListPage() {
  return <PartyList kind={VENDOR} />;
}

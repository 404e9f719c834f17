import { VENDOR } from './party-kind';
import { PartyEditor } from './party-editor';

/** A new vendor, or the change of one. */
export default function VendorEditorPage() {
  return <PartyEditor kind={VENDOR} />;
}

import { CUSTOMER } from './party-kind';
import { PartyEditor } from './party-editor';

/** A new customer, or the change of one. */
export default function CustomerEditorPage() {
  return <PartyEditor kind={CUSTOMER} />;
}

import type { ClientSession } from 'mongoose';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { parseCountryCode } from '../../../domain/identity/countries';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { findCheckOfSession } from '../checks/check-store';

/**
 * The claims of a session's document about its holder, as the details of the database validation that follows. Null if
 * the document has no national number: the step then waits for a validation submitted by the client.
 */
export async function findDocumentClaims(
  session: SessionRecord,
  sources: FollowOn['sources'],
  mongoSession: ClientSession,
): Promise<Pick<CheckRecord, 'inputs' | 'details'> | null> {
  if (sources.id === undefined) return null;
  const check = await findCheckOfSession(session, sources.id, mongoSession);
  const document = check?.result ?? null;
  if (document === null || !('personalNumber' in document) || document.personalNumber === null) return null;
  const country = parseCountryCode(document.issuingState ?? '');
  if (country === undefined) return null;
  const { personalNumber: idNumber, firstName, lastName, dateOfBirth, sex } = document;
  return {
    inputs: [],
    details: { country, idNumber, firstName, lastName, dateOfBirth, sex: sex === 'F' || sex === 'M' ? sex : null },
  };
}

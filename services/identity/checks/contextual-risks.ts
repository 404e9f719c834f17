import type { ClientSession } from 'mongoose';
import { acceptedDocumentRisks } from '../../../domain/identity/documents/accepted-documents';
import type { CheckResults, Finding } from '../../../domain/identity/checks/checks';
import { expectedDetailsRisks } from '../../../domain/identity/sessions/expected-details';
import { proofMismatches } from '../../../domain/identity/documents/poa/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { usableCheck } from '../../../domain/identity/sessions/steps';
import { Check, isCheckOf } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { documentHistoryRisks } from '../documents/document-uses';
import { scopeOf } from '../sessions/session-store';

/** Where a check stands while it ends: within the transaction, in its session or alone. */
export interface Beside {
  platform: Platform;
  unit: UnitOfWork;
  check: CheckRecord;
  session: SessionRecord | null;
}

/** The session of a check; null for one that stands alone. */
export const sessionOf = async (
  check: CheckRecord,
  transaction: ClientSession | null,
): Promise<SessionRecord | null> =>
  check.sessionId === null
    ? null
    : Session.findOne({ _id: check.sessionId, ...scopeOf(check), deletedAt: null })
        .session(transaction)
        .lean<SessionRecord>();

/** What the session's other usable check of a feature found. */
async function findingOf<K extends 'id_verification' | 'proof_of_address'>(
  { unit, session, check }: Beside,
  kind: K,
): Promise<Finding<K> | null> {
  const usable = session === null ? undefined : usableCheck(session.steps, kind === 'id_verification' ? 'id' : 'poa');
  if (usable === undefined) return null;
  const found = await Check.findOne({ _id: usable.checkId, ...scopeOf(check), deletedAt: null })
    .session(unit.session)
    .lean<CheckRecord>();
  return found !== null && isCheckOf(found, kind) ? found.result : null;
}

/**
 * A document beside what the session expects, and beside a proof of address that came before it: whichever of the two
 * comes last is compared.
 */
export async function documentRisksBeside(result: CheckResults['id_verification'], beside: Beside): Promise<Risk[]> {
  const { session } = beside;
  const history = await documentHistoryRisks(result, beside);
  if (session === null) return history;
  const risks = [
    ...history,
    ...acceptedDocumentRisks(session.settings.acceptedDocuments, result),
    ...(session.expected === null ? [] : expectedDetailsRisks(session.expected, result)),
  ];
  const proof = await findingOf(beside, 'proof_of_address');
  if (proof !== null && result.fullName !== null) {
    risks.push(...proofMismatches(proof, { names: [result.fullName], address: null }));
  }
  return risks;
}

/** A proof of address beside the name on the session's document, or else the expected one, and the expected address. */
export async function addressProofRisksBeside(
  result: CheckResults['proof_of_address'],
  beside: Beside,
): Promise<Risk[]> {
  const { session } = beside;
  if (session === null) return [];
  const document = await findingOf(beside, 'id_verification');
  const { firstName, lastName, address } = session.expected ?? {};
  const expected = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  const name = document?.fullName ?? (expected === '' ? null : expected);
  return proofMismatches(result, { names: name === null ? [] : [name], address: address ?? null });
}

import type { ClientSession } from 'mongoose';
import { assessAcceptedDocumentRisks } from '../../../domain/identity/documents/accepted-documents';
import type { CheckResults, Finding } from '../../../domain/identity/checks/checks';
import { assessExpectedDetailsRisks } from '../../../domain/identity/sessions/expected-details';
import { assessProofMismatches } from '../../../domain/identity/documents/poa/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { findDocumentHistoryRisks } from '../documents/document-uses';
import { toScope } from '../sessions/session-store';

/** The context of a check that is being completed: the transaction, and the session unless it is standalone. */
export interface CheckContext {
  platform: Platform;
  unit: UnitOfWork;
  check: CheckRecord;
  session: SessionRecord | null;
}

/** The session of a check; null for a standalone check. */
export const findCheckSession = async (
  check: CheckRecord,
  mongoSession: ClientSession | null,
): Promise<SessionRecord | null> =>
  check.sessionId === null
    ? null
    : Session.findOne({ _id: check.sessionId, ...toScope(check), deletedAt: null })
        .session(mongoSession)
        .lean<SessionRecord>();

/** The finding of the session's usable check of another kind. */
async function findUsableFinding<K extends 'id_verification' | 'proof_of_address'>(
  { unit, session, check }: CheckContext,
  kind: K,
): Promise<Finding<K> | null> {
  const usable =
    session === null ? undefined : findUsableCheck(session.steps, kind === 'id_verification' ? 'id' : 'poa');
  if (usable === undefined) return null;
  const found = await Check.findOne({ _id: usable.checkId, ...toScope(check), deletedAt: null })
    .session(unit.mongoSession)
    .lean<CheckRecord>();
  return found !== null && isCheckOfKind(found, kind) ? found.result : null;
}

/**
 * Compares a document with the session's expected details and with an earlier proof of address. Document and proof are
 * compared when the later of the two completes.
 */
export async function findContextualDocumentRisks(
  result: CheckResults['id_verification'],
  context: CheckContext,
): Promise<Risk[]> {
  const { session } = context;
  const history = await findDocumentHistoryRisks(result, context);
  if (session === null) return history;
  const risks = [
    ...history,
    ...assessAcceptedDocumentRisks(session.settings.acceptedDocuments, result),
    ...(session.expected === null ? [] : assessExpectedDetailsRisks(session.expected, result)),
  ];
  const proof = await findUsableFinding(context, 'proof_of_address');
  if (proof !== null && result.fullName !== null) {
    risks.push(...assessProofMismatches(proof, { names: [result.fullName], address: null }));
  }
  return risks;
}

/** Compares a proof of address with the name on the session's document, else the expected name, and the expected address. */
export async function findContextualAddressProofRisks(
  result: CheckResults['proof_of_address'],
  context: CheckContext,
): Promise<Risk[]> {
  const { session } = context;
  if (session === null) return [];
  const document = await findUsableFinding(context, 'id_verification');
  const { firstName, lastName, address } = session.expected ?? {};
  const expected = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  const name = document?.fullName ?? (expected === '' ? null : expected);
  return assessProofMismatches(result, { names: name === null ? [] : [name], address: address ?? null });
}

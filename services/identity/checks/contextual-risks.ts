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

/** Where a check stands while it ends: within the transaction, in its session or alone. */
export interface CheckContext {
  platform: Platform;
  unit: UnitOfWork;
  check: CheckRecord;
  session: SessionRecord | null;
}

/** The session of a check; null for one that stands alone. */
export const findCheckSession = async (
  check: CheckRecord,
  mongoSession: ClientSession | null,
): Promise<SessionRecord | null> =>
  check.sessionId === null
    ? null
    : Session.findOne({ _id: check.sessionId, ...toScope(check), deletedAt: null })
        .session(mongoSession)
        .lean<SessionRecord>();

/** What the session's other usable check of a feature found. */
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
 * A document beside what the session expects, and beside a proof of address that came before it: whichever of the two
 * comes last is compared.
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

/** A proof of address beside the name on the session's document, or else the expected one, and the expected address. */
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

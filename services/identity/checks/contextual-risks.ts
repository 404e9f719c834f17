import { assessAcceptedDocumentRisks } from '../../../domain/identity/documents/accepted-documents';
import type { CheckResults, Finding } from '../../../domain/identity/checks/checks';
import { assessExpectedDetailsRisks } from '../../../domain/identity/sessions/expected-details';
import { assessProofMismatches } from '../../../domain/identity/documents/poa/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { findCheckOfSession } from './check-store';
import { findDocumentHistoryRisks } from '../documents/document-uses';

/** The context of a check that is being completed: the transaction, and the session unless it is standalone. */
export interface CheckContext {
  unit: UnitOfWork;
  check: CheckRecord;
  session: SessionRecord | null;
}

/** Compares a document with the blocklist, its earlier uses and the settings and expected details of the session. */
export async function findContextualDocumentRisks(
  result: CheckResults['id_verification'],
  context: CheckContext,
): Promise<Risk[]> {
  const { session } = context;
  const history = await findDocumentHistoryRisks(result, context);
  if (session === null) return history;
  return [
    ...history,
    ...assessAcceptedDocumentRisks(session.settings.acceptedDocuments, result),
    ...(session.expected === null ? [] : assessExpectedDetailsRisks(session.expected, result)),
  ];
}

/** The name on the session's present document; null without a usable document, or if its name was not read. */
async function findDocumentName(unit: UnitOfWork, session: SessionRecord): Promise<string | null> {
  const usable = findUsableCheck(session.steps, 'id');
  if (usable === undefined) return null;
  const document = await findCheckOfSession(session, usable.checkId, unit.mongoSession);
  return document !== null && isCheckOfKind(document, 'id_verification') ? (document.result?.fullName ?? null) : null;
}

/** Compares a proof of address with the name on the session's document, else the expected name, and the expected address. */
export async function findProofMismatches(
  unit: UnitOfWork,
  session: SessionRecord,
  proof: Finding<'proof_of_address'>,
): Promise<Risk[]> {
  const { firstName, lastName, address } = session.expected ?? {};
  const expected = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  const name = (await findDocumentName(unit, session)) ?? (expected === '' ? null : expected);
  return assessProofMismatches(proof, { names: name === null ? [] : [name], address: address ?? null });
}

/** The mismatches of a proof of address that completes. They are found again when another document is read later. */
export const findContextualAddressProofRisks = (
  result: CheckResults['proof_of_address'],
  { unit, session }: CheckContext,
): Promise<Risk[]> => (session === null ? Promise.resolve([]) : findProofMismatches(unit, session, result));

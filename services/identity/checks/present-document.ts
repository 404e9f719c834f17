import { reevaluateCheck } from '../../../domain/identity/checks/evaluation';
import { omitMismatches } from '../../../domain/identity/documents/poa/risks';
import { isFinalStatus } from '../../../domain/identity/sessions/session';
import {
  findUsableCheck,
  listCountedAttempts,
  listDecisiveAttempts,
  outdateAttempts,
  recordOutcome,
} from '../../../domain/identity/sessions/steps';
import type { Feature } from '../../../domain/identity/sessions/features';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { changeSession } from '../sessions/session-store';
import { findCheckOfSession } from './check-store';
import { findProofMismatches } from './contextual-risks';
import { toScope } from '../../platform/platform';

/** The proof of address that counts, if it has a result. */
async function findDecisiveProof(unit: UnitOfWork, session: SessionRecord) {
  const checkId = session.steps.filter(({ feature }) => feature === 'poa').flatMap(listDecisiveAttempts)[0]?.checkId;
  if (checkId === undefined) return null;
  const proof = await findCheckOfSession(session, checkId, unit.mongoSession);
  return proof?.status === 'completed' && isCheckOfKind(proof, 'proof_of_address') ? proof : null;
}

/** Compares a proof of address that was read before with the present document, in place of an earlier one or of none. */
async function compareProofAgain(unit: UnitOfWork, session: SessionRecord): Promise<SessionRecord> {
  const proof = await findDecisiveProof(unit, session);
  // The result of a sandbox value does not depend on other checks.
  if (proof === null || proof.result === null || proof.sandbox != null) return session;
  const mismatches = await findProofMismatches(unit, session, proof.result);
  const measured = { finding: proof.result, risks: [...omitMismatches(proof.risks), ...mismatches] };
  const { risks, verdict } = reevaluateCheck('proof_of_address', measured, session.settings);
  await Check.updateOne(
    { _id: proof._id, ...toScope(proof), recordId: proof.recordId, status: 'completed', deletedAt: null },
    { $set: { risks, verdict } },
    { session: unit.mongoSession },
  );
  return changeSession(unit, session, { steps: recordOutcome(session.steps, proof._id, { outcome: verdict, risks }) });
}

const listFiles = (checks: readonly CheckRecord[]): string[] =>
  checks.flatMap(({ inputs }) => inputs.map(({ evidenceId }) => evidenceId));

/** Marks comparisons by the client with the portrait of an earlier document of the session as outdated. */
async function outdateComparisons(
  unit: UnitOfWork,
  session: SessionRecord,
  document: CheckRecord,
): Promise<SessionRecord> {
  const listChecks = (feature: Feature): string[] =>
    session.steps
      .filter((step) => step.feature === feature)
      .flatMap(listCountedAttempts)
      .filter(({ origin }) => origin === 'client')
      .map(({ checkId }) => checkId);
  const compared = listChecks('face_match');
  if (compared.length === 0) return session;
  const filter = { ...toScope(session), sessionId: session._id, deletedAt: null };
  const checks = await Check.find({ ...filter, kind: { $in: ['face_match', 'id_verification'] } }, { result: 0 })
    .session(unit.mongoSession)
    .lean<CheckRecord[]>();
  const replaced = new Set(
    listFiles(checks.filter(({ kind, _id }) => kind === 'id_verification' && _id !== document._id)),
  );
  const outdated = checks
    .filter((check) => compared.includes(check._id) && listFiles([check]).some((file) => replaced.has(file)))
    .map(({ _id }) => _id);
  return outdated.length === 0
    ? session
    : changeSession(unit, session, { steps: outdateAttempts(session.steps, outdated) });
}

/**
 * Applies the document that a session has since a check of it ended to what was compared with an earlier one, in the
 * transaction that ends the check. Once the session has a final decision, its other checks keep their verdicts.
 */
export async function applyPresentDocument(
  unit: UnitOfWork,
  session: SessionRecord,
  document: CheckRecord,
): Promise<SessionRecord> {
  if (isFinalStatus(session.status) || findUsableCheck(session.steps, 'id')?.checkId !== document._id) return session;
  return outdateComparisons(unit, await compareProofAgain(unit, session), document);
}

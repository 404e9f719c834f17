import type { CheckResults } from '../../../domain/identity/checks/checks';
import { isUsedByAnother } from '../../../domain/identity/documents/document-identity';
import { makeRisk } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { DocumentUses } from '../../../models/identity/documents/document-use';
import type { DocumentUse, DocumentUsesRecord } from '../../../models/identity/documents/document-use';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { createFingerprinter } from './document-fingerprints';
import { toScope } from '../sessions/session-store';

/** Number of latest uses stored per document. */
const MAX_USES = 100;

/** The check that shows a document, and the transaction that completes it. */
interface DocumentUseContext {
  platform: Platform;
  unit: UnitOfWork;
  check: CheckRecord;
  session: SessionRecord | null;
}

/**
 * Finds out whether a document is on the blocklist or was used by another person before, and records this use, in the
 * transaction that completes its check. Without document number and issuing state, neither is possible.
 */
export async function findDocumentHistoryRisks(
  { documentNumber, issuingState, dateOfBirth, status }: CheckResults['id_verification'],
  { platform, unit, check, session }: DocumentUseContext,
): Promise<Risk[]> {
  if (documentNumber === null || issuingState === null) return [];
  const scope = toScope(check);
  const fingerprints = await createFingerprinter(platform, scope);
  const documentFilter = { ...scope, fingerprint: fingerprints.hashDocument({ documentNumber, issuingState }) };
  const risks: Risk[] = [];
  const blocked = await BlockedDocument.findOne(documentFilter, { _id: 1 })
    .session(unit.mongoSession)
    .lean<{ _id: string }>();
  if (blocked !== null) risks.push(makeRisk('document_in_blocklist', { details: { entry: blocked._id } }));
  const use: DocumentUse = {
    checkId: check._id,
    recordId: check.recordId,
    externalId: session?.externalId ?? null,
    holder: dateOfBirth === null ? null : fingerprints.hashHolder(dateOfBirth),
    at: check.createdAt,
  };
  const before = await DocumentUses.findOne(documentFilter).session(unit.mongoSession).lean<DocumentUsesRecord>();
  const others = (before?.uses ?? []).filter((one) => one.recordId !== use.recordId && isUsedByAnother(one, use));
  if (others.length > 0) risks.push(makeRisk('duplicate_document', { details: { uses: others.length } }));
  // The reading of an image that is declined or captured again is not reliable enough to be recorded.
  if (status !== 'declined' && status !== 'recapture') {
    await DocumentUses.updateOne(
      documentFilter,
      { $push: { uses: { $each: [use], $slice: -MAX_USES } } },
      { session: unit.mongoSession, upsert: true },
    );
  }
  return risks;
}

import { conflictError, notFoundError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { identifyDocument, maskDocumentNumber } from '../../../domain/identity/documents/document-identity';
import type { DocumentIdentity } from '../../../domain/identity/documents/document-identity';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import type { BlockedDocumentRecord } from '../../../models/identity/documents/blocked-document';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { destroyDataKeys } from '../../platform/evidence/evidence';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { getCheck, listChecksOfSession } from '../checks/check-store';
import { createFingerprinter } from './document-fingerprints';
import { getSession } from '../sessions/session-store';

async function getBlockedDocument(scope: Scope, id: string): Promise<BlockedDocumentRecord> {
  const found = await BlockedDocument.findOne({ _id: id, ...toScope(scope) }).lean<BlockedDocumentRecord>();
  if (found === null) throw notFoundError('blocklist entry');
  return found;
}

/** Identifies a document by its number and issuing state, or by the session or check that read it. */
export type DocumentReference = DocumentIdentity | { sessionId: string } | { checkId: string };

const getDocumentIdentity = (check: CheckRecord): DocumentIdentity | null =>
  isCheckOfKind(check, 'id_verification') && check.result !== null ? identifyDocument(check.result) : null;

/** The referenced checks, latest first. @throws AppError 404 */
async function findReferencedChecks(
  scope: Scope,
  reference: Exclude<DocumentReference, DocumentIdentity>,
): Promise<CheckRecord[]> {
  if ('checkId' in reference) return [await getCheck(scope, reference.checkId)];
  const session = await getSession(scope, reference.sessionId);
  return (await listChecksOfSession(session, { kinds: ['id_verification'] })).reverse();
}

/** @throws AppError 404; 409 `document_not_read` if no document number with an issuing state was read */
async function resolveDocument(scope: Scope, reference: DocumentReference): Promise<DocumentIdentity> {
  if ('documentNumber' in reference) return reference;
  for (const check of await findReferencedChecks(scope, reference)) {
    const found = getDocumentIdentity(check);
    if (found !== null) return found;
  }
  throw conflictError('document_not_read', 'No document number with its issuing state was read.');
}

const alreadyBlockedError = (): AppError =>
  conflictError('already_blocked', 'The document is already on the blocklist.');

/**
 * Adds a document to the blocklist. Stores its fingerprint and a masked hint, but neither its number nor the session or
 * check that it was taken from.
 * @throws AppError 404 of the session or check; 409 `document_not_read`, `already_blocked`
 */
export const blockDocument = (
  platform: Platform,
  scope: Scope,
  actor: string,
  { document: reference, reason }: { document: DocumentReference; reason: string | null },
  use: IdempotentUse | undefined,
): Promise<BlockedDocumentRecord> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      const document = await resolveDocument(scope, reference);
      const fingerprints = await createFingerprinter(platform, scope);
      const record: BlockedDocumentRecord = {
        _id: newId('blk'),
        ...toScope(scope),
        fingerprint: fingerprints.compute(document),
        hint: maskDocumentNumber(document.documentNumber),
        issuingState: document.issuingState,
        reason,
        createdBy: actor,
        createdAt: platform.clock.now(),
      };
      try {
        await runTransaction(platform, async (unit) => {
          const known = { ...toScope(scope), fingerprint: { $in: fingerprints.listBlocked([document]) } };
          if ((await BlockedDocument.exists(known).session(unit.mongoSession)) !== null) throw alreadyBlockedError();
          await BlockedDocument.create([record], { session: unit.mongoSession });
          await unit.audit(scope, { actor, action: 'blocklist.document_added', subject: record._id });
          await claim(unit, record._id, 201);
        });
      } catch (error) {
        if (isDuplicateKeyError(error)) throw alreadyBlockedError();
        throw error;
      }
      return record;
    },
    (id) => getBlockedDocument(scope, id),
  );

/** The blocklist, newest first. */
export const listBlockedDocuments = (
  scope: Scope,
  page: CursorPageRequest,
): Promise<CursorPage<BlockedDocumentRecord>> => readCursorPage(BlockedDocument, toScope(scope), page);

/** Removes a document from the blocklist. @throws AppError 404 */
export const unblockDocument = (platform: Platform, scope: Scope, actor: string, id: string): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const { deletedCount } = await BlockedDocument.deleteOne(
      { _id: id, ...toScope(scope) },
      { session: unit.mongoSession },
    );
    if (deletedCount === 0) throw notFoundError('blocklist entry');
    await destroyDataKeys(unit, scope, [id]);
    await unit.audit(scope, { actor, action: 'blocklist.document_removed', subject: id });
  });

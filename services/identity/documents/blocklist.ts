import { conflict, notFound } from '../../../domain/errors';
import { maskedNumber } from '../../../domain/identity/documents/document-identity';
import type { DocumentIdentity } from '../../../domain/identity/documents/document-identity';
import { newId } from '../../../lib/ids';
import { isDuplicateKey } from '../../../lib/mongo';
import { Check, isCheckOf } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import type { BlockedDocumentRecord } from '../../../models/identity/documents/blocked-document';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import { getCheck } from '../checks/checks';
import { fingerprinterOf } from './document-fingerprints';
import { getSession, scopeOf } from '../sessions/session-store';

async function blockedDocument(scope: Scope, id: string): Promise<BlockedDocumentRecord> {
  const found = await BlockedDocument.findOne({ _id: id, ...scopeOf(scope) }).lean<BlockedDocumentRecord>();
  if (found === null) throw notFound('blocklist entry');
  return found;
}

/** A document by its number and state, or by the session or check that read it. */
export type DocumentChoice = DocumentIdentity | { sessionId: string } | { checkId: string };

const identityOf = (check: CheckRecord): DocumentIdentity | null => {
  if (!isCheckOf(check, 'id_verification') || check.result === null) return null;
  const { documentNumber, issuingState } = check.result;
  return documentNumber === null || issuingState === null ? null : { documentNumber, issuingState };
};

/** The checks a choice speaks of, the latest first. @throws AppError 404 */
async function chosenChecks(scope: Scope, choice: Exclude<DocumentChoice, DocumentIdentity>): Promise<CheckRecord[]> {
  if ('checkId' in choice) return [await getCheck(scope, choice.checkId)];
  const { _id: sessionId } = await getSession(scope, choice.sessionId);
  return Check.find({ ...scopeOf(scope), sessionId, kind: 'id_verification', deletedAt: null })
    .sort({ _id: -1 })
    .lean<CheckRecord[]>();
}

/** @throws AppError 404; 409 `document_not_read` where no number with a state was read */
async function chosenDocument(scope: Scope, choice: DocumentChoice): Promise<DocumentIdentity> {
  if ('documentNumber' in choice) return choice;
  for (const check of await chosenChecks(scope, choice)) {
    const found = identityOf(check);
    if (found !== null) return found;
  }
  throw conflict('document_not_read', 'No document number with its state was read there.');
}

/**
 * Puts a document on the blocklist: its fingerprint and a masked hint are kept, its number is not, nor which session or
 * check it was taken from.
 * @throws AppError 404 of the session or check; 409 `document_not_read`, `already_blocked`
 */
export const blockDocument = (
  platform: Platform,
  scope: Scope,
  actor: string,
  { document: choice, reason }: { document: DocumentChoice; reason: string | null },
  use: IdempotentUse | undefined,
): Promise<BlockedDocumentRecord> =>
  idempotently(
    platform,
    use,
    async (claim) => {
      const document = await chosenDocument(scope, choice);
      const record: BlockedDocumentRecord = {
        _id: newId('blk'),
        ...scopeOf(scope),
        fingerprint: (await fingerprinterOf(platform, scope)).ofDocument(document),
        hint: maskedNumber(document.documentNumber),
        issuingState: document.issuingState,
        reason,
        createdBy: actor,
        createdAt: platform.clock.now(),
      };
      try {
        await transact(platform, async (unit) => {
          await BlockedDocument.create([record], { session: unit.session });
          await unit.audit(scope, { actor, action: 'blocklist.document_added', subject: record._id });
          await claim(unit, record._id, 201);
        });
      } catch (error) {
        if (isDuplicateKey(error)) throw conflict('already_blocked', 'The document is on the blocklist.');
        throw error;
      }
      return record;
    },
    (id) => blockedDocument(scope, id),
  );

/** The blocklist, newest first, and how many entries it has. */
export async function listBlockedDocuments(
  scope: Scope,
  page: { limit: number; after?: string | undefined },
): Promise<{ documents: BlockedDocumentRecord[]; total: number }> {
  const mine = scopeOf(scope);
  const [documents, total] = await Promise.all([
    BlockedDocument.find({ ...mine, ...(page.after === undefined ? {} : { _id: { $lt: page.after } }) })
      .sort({ _id: -1 })
      .limit(page.limit)
      .lean<BlockedDocumentRecord[]>(),
    BlockedDocument.countDocuments(mine),
  ]);
  return { documents, total };
}

/** Takes a document off the blocklist. @throws AppError 404 */
export const unblockDocument = (platform: Platform, scope: Scope, actor: string, id: string): Promise<void> =>
  transact(platform, async (unit) => {
    const { deletedCount } = await BlockedDocument.deleteOne({ _id: id, ...scopeOf(scope) }, { session: unit.session });
    if (deletedCount === 0) throw notFound('blocklist entry');
    await unit.audit(scope, { actor, action: 'blocklist.document_removed', subject: id });
  });

import { mongo } from 'mongoose';
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import type { CheckResults } from '../../../domain/identity/checks/checks';
import { isUsedByAnother } from '../../../domain/identity/documents/document-identity';
import type { DocumentUsage } from '../../../domain/identity/documents/document-identity';
import { makeRisk } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { DocumentUses } from '../../../models/identity/documents/document-use';
import type { DocumentUse, DocumentUsesRecord } from '../../../models/identity/documents/document-use';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { openValues, sealValue } from '../../platform/evidence/data-keys';
import type { Platform, Scope } from '../../platform/platform';
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

const useSchema = z.object({ externalId: z.string().nullable(), holder: z.string().nullable() });

const buildUseName = (checkId: string): string => `document_uses.${checkId}`;

/** The uses of a document by records that still exist, decrypted. */
async function openUses(
  platform: Platform,
  scope: Scope,
  uses: readonly DocumentUse[],
): Promise<(DocumentUsage & { recordId: string })[]> {
  const opened = await openValues(
    platform,
    scope,
    uses.map(({ recordId, checkId, sealed }) => ({
      recordId,
      name: buildUseName(checkId),
      sealed: Buffer.from(sealed.buffer),
    })),
  );
  return uses.flatMap(({ recordId }, index) => {
    const bytes = opened[index] ?? null;
    return bytes === null ? [] : [{ recordId, ...useSchema.parse(JSON.parse(bytes.toString('utf8'))) }];
  });
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
  const document = { documentNumber, issuingState };
  const fingerprints = await createFingerprinter(platform, scope);
  const documentFilter = { ...scope, fingerprint: { $in: fingerprints.list(document) } };
  const risks: Risk[] = [];
  const blockedFilter = { ...scope, fingerprint: { $in: fingerprints.listBlocked(document) } };
  const blocked = await BlockedDocument.findOne(blockedFilter, { _id: 1 })
    .session(unit.mongoSession)
    .lean<{ _id: string }>();
  if (blocked !== null) risks.push(makeRisk('document_in_blocklist', { details: { entry: blocked._id } }));
  const usage: DocumentUsage = { externalId: session?.externalId ?? null, holder: dateOfBirth };
  const before = await DocumentUses.findOne(documentFilter).session(unit.mongoSession).lean<DocumentUsesRecord>();
  const earlier = (before?.uses ?? []).filter(({ recordId }) => recordId !== check.recordId);
  const others = (await openUses(platform, scope, earlier)).filter((one) => isUsedByAnother(one, usage));
  if (others.length > 0) risks.push(makeRisk('duplicate_document', { details: { uses: others.length } }));
  // The reading of an image that is declined or captured again is not reliable enough to be recorded.
  if (status !== 'declined' && status !== 'recapture') {
    const fingerprint = before?.fingerprint ?? fingerprints.compute(document);
    await recordUse({ platform, unit, check, session }, fingerprint, usage);
  }
  return risks;
}

/** What a use says of the person, encrypted with the data key of its record. @throws AppError 404 if it was erased */
export const sealUsage = (
  platform: Platform,
  scope: Scope,
  { checkId, recordId }: Pick<DocumentUse, 'checkId' | 'recordId'>,
  usage: DocumentUsage,
  mongoSession: ClientSession,
): Promise<Buffer> => {
  const bytes = Buffer.from(JSON.stringify(usage), 'utf8');
  return sealValue(platform, scope, recordId, buildUseName(checkId), bytes, mongoSession);
};

/** Records a use, encrypted with the data key of its record. */
async function recordUse(
  { platform, unit, check }: DocumentUseContext,
  fingerprint: string,
  usage: DocumentUsage,
): Promise<void> {
  const { _id: checkId, recordId, createdAt: at } = check;
  const sealed = await sealUsage(platform, check, { checkId, recordId }, usage, unit.mongoSession);
  const use: DocumentUse = { checkId, recordId, sealed: new mongo.Binary(sealed), at };
  await DocumentUses.updateOne(
    { ...toScope(check), fingerprint },
    { $push: { uses: { $each: [use], $slice: -MAX_USES } } },
    { session: unit.mongoSession, upsert: true },
  );
}

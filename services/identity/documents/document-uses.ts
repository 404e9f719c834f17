import { mongo } from 'mongoose';
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import type { CheckResults } from '../../../domain/identity/checks/checks';
import {
  identifyDocument,
  isUsedByAnother,
  listPossibleIdentities,
} from '../../../domain/identity/documents/document-identity';
import type { DocumentIdentity, DocumentUsage } from '../../../domain/identity/documents/document-identity';
import { buildRisk } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { DocumentUses } from '../../../models/identity/documents/document-use';
import type { DocumentUse, DocumentUsesRecord } from '../../../models/identity/documents/document-use';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { openValues, sealValue } from '../../platform/evidence/data-keys';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { createFingerprinter } from './document-fingerprints';

/** Number of latest uses stored per document. */
const MAX_USES = 100;

/** The check that shows a document, and the transaction that completes it. */
interface DocumentUseContext {
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
 * The uses that earlier versions have recorded of a document without its state or province, together with those of
 * documents with the same number of others: the barcodes that their checks read name the state.
 */
async function findEarlierUses(
  document: DocumentIdentity,
  filter: object,
  { unit, check }: DocumentUseContext,
): Promise<DocumentUse[]> {
  if (document.jurisdiction == null) return [];
  const stored = await DocumentUses.findOne(filter).session(unit.mongoSession).lean<DocumentUsesRecord>();
  const uses = stored?.uses ?? [];
  if (uses.length === 0) return [];
  const checks = await Check.find({ ...toScope(check), _id: { $in: uses.map((use) => use.checkId) }, deletedAt: null })
    .session(unit.mongoSession)
    .lean<CheckRecord[]>();
  const own = checks.filter(
    (one) =>
      isCheckOfKind(one, 'id_verification') &&
      one.result !== null &&
      identifyDocument(one.result)?.jurisdiction === document.jurisdiction,
  );
  return uses.filter(({ checkId }) => own.some(({ _id }) => _id === checkId));
}

/**
 * Finds out whether a document is on the blocklist or was used by another person before, and records this use, in the
 * transaction that completes its check. Without document number and issuing state, neither is possible.
 */
export async function findDocumentHistoryRisks(
  result: CheckResults['id_verification'],
  context: DocumentUseContext,
): Promise<Risk[]> {
  const document = identifyDocument(result);
  if (document === null) return [];
  const { unit, check, session } = context;
  const { platform } = unit;
  const scope = toScope(check);
  const fingerprints = await createFingerprinter(platform, scope);
  const buildFilter = (one: DocumentIdentity) => ({ ...scope, fingerprint: { $in: fingerprints.list(one) } });
  const risks: Risk[] = [];
  const blockedFilter = { ...scope, fingerprint: { $in: fingerprints.listBlocked(listPossibleIdentities(result)) } };
  const blocked = await BlockedDocument.findOne(blockedFilter, { _id: 1 })
    .session(unit.mongoSession)
    .lean<{ _id: string }>();
  if (blocked !== null) risks.push(buildRisk('document_in_blocklist', { details: { entry: blocked._id } }));
  const usage: DocumentUsage = { externalId: session?.externalId ?? null, holder: result.dateOfBirth };
  const before = await DocumentUses.findOne(buildFilter(document))
    .session(unit.mongoSession)
    .lean<DocumentUsesRecord>();
  const unassigned = await findEarlierUses(document, buildFilter({ ...document, jurisdiction: null }), context);
  const earlier = [...(before?.uses ?? []), ...unassigned].filter(({ recordId }) => recordId !== check.recordId);
  const others = (await openUses(platform, scope, earlier)).filter((one) => isUsedByAnother(one, usage));
  if (others.length > 0) risks.push(buildRisk('duplicate_document', { details: { uses: others.length } }));
  // The reading of an image that is declined or captured again is not reliable enough to be recorded.
  if (result.status !== 'declined' && result.status !== 'recapture') {
    await recordUse(context, before?.fingerprint ?? fingerprints.compute(document), usage);
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
  { unit, check }: DocumentUseContext,
  fingerprint: string,
  usage: DocumentUsage,
): Promise<void> {
  const { _id: checkId, recordId, createdAt: at } = check;
  const sealed = await sealUsage(unit.platform, check, { checkId, recordId }, usage, unit.mongoSession);
  const use: DocumentUse = { checkId, recordId, sealed: new mongo.Binary(sealed), at };
  await DocumentUses.updateOne(
    { ...toScope(check), fingerprint },
    { $push: { uses: { $each: [use], $slice: -MAX_USES } } },
    { session: unit.mongoSession, upsert: true },
  );
}

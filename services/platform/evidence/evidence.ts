import { AppError, notFoundError } from '../../../domain/errors';
import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { isFileType } from '../../../lib/files/identify';
import type { StoredFile } from '../../../lib/files/stored-file';
import { newId } from '../../../lib/ids';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { Evidence } from '../../../models/platform/evidence/evidence';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { ensureDataKey, forgetKeys, openDataKeys } from './data-keys';
import type { OpenedKey } from './data-keys';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

const buildObjectAad = (evidence: {
  organisationId: string;
  recordId: string;
  _id: string;
  keyVersion: number;
}): string => `evidence:${evidence.organisationId}:${evidence.recordId}:${evidence._id}:${evidence.keyVersion}`;

/** Key prefix of all objects of a person record, including unreferenced uploads. */
const buildEvidencePrefix = ({ organisationId, mode }: Scope, recordId: string): string =>
  `evidence/${organisationId}/${mode}/${recordId}/`;

export interface EvidenceInput {
  /** The session or standalone check that owns the data key. */
  recordId: string;
  checkId: string;
  field: string;
  contentType: string;
  body: Buffer;
  /** Evidence id of the source of a derived file; absent for uploaded files. */
  derivedFrom?: string;
}

/**
 * Encrypts and uploads one file, before the transaction that references it with {@link saveEvidence}. Unreferenced
 * uploads are removed after a day.
 * @param dataKey that of the record, if it was just read
 */
export async function uploadEvidence(
  platform: Platform,
  scope: Scope,
  input: EvidenceInput,
  dataKey: OpenedKey | null = null,
): Promise<EvidenceRecord> {
  const { key, version } = dataKey ?? (await ensureDataKey(platform, scope, input.recordId));
  const id = newId('evd');
  const record: EvidenceRecord = {
    _id: id,
    organisationId: scope.organisationId,
    mode: scope.mode,
    recordId: input.recordId,
    checkId: input.checkId,
    field: input.field,
    contentType: input.contentType,
    bytes: input.body.length,
    sha256: sha256Hex(input.body),
    objectKey: `${buildEvidencePrefix(scope, input.recordId)}${id}`,
    keyVersion: version,
    derivedFrom: input.derivedFrom ?? null,
    createdAt: platform.clock.now(),
    deletedAt: null,
  };
  await platform.objects.put(
    record.objectKey,
    encrypt(key, input.body, buildObjectAad(record)),
    'application/octet-stream',
  );
  return record;
}

/**
 * References uploaded evidence within the transaction of the record it belongs to. Both this and an erasure write the
 * data key, so that only one of two concurrent transactions commits.
 * @throws AppError 404 if the record has been erased since the upload
 */
export async function saveEvidence(unit: UnitOfWork, records: readonly EvidenceRecord[]): Promise<void> {
  if (records.length === 0) return;
  const counted = await DataKey.bulkWrite(
    records.map(({ recordId: _id, organisationId, mode }) => ({
      updateOne: { filter: { _id, organisationId, mode, destroyedAt: null }, update: { $inc: { files: 1 } } },
    })),
    { session: unit.mongoSession },
  );
  if (counted.matchedCount < records.length) throw notFoundError('record');
  await Evidence.insertMany([...records], { session: unit.mongoSession });
}

/** Removes the reference to a file of a record, whose object is removed within a day. */
export async function forgetEvidence(
  unit: UnitOfWork,
  { organisationId, mode }: Scope,
  recordId: string,
  evidenceId: string,
): Promise<void> {
  await Evidence.deleteOne({ _id: evidenceId, organisationId, mode, recordId }, { session: unit.mongoSession });
}

/**
 * Destroys the data keys of person records, within the transaction that erases them. No copy of an object encrypted with
 * one of them can be read again. A record without a key gets a destroyed one, so that none is created later.
 * @returns the number of keys destroyed
 */
export async function destroyDataKeys(unit: UnitOfWork, scope: Scope, recordIds: readonly string[]): Promise<number> {
  const { organisationId, mode } = scope;
  const destroyedAt = unit.platform.clock.now();
  forgetKeys(unit.mongoSession);
  const existing = await DataKey.updateMany(
    { _id: { $in: recordIds }, organisationId, mode, destroyedAt: null },
    { $set: { material: null, generation: null, wrapped: null, keyId: null, destroyedAt } },
    { session: unit.mongoSession },
  );
  for (const _id of recordIds) {
    await DataKey.updateOne(
      { _id, organisationId, mode },
      { $setOnInsert: { wrapped: null, destroyedAt, version: 1, files: 0, createdAt: destroyedAt } },
      { session: unit.mongoSession, upsert: true },
    );
  }
  return existing.modifiedCount;
}

/** Removes every object of a person record. @returns the number of objects removed */
export async function removeEvidenceObjects(platform: Platform, scope: Scope, recordId: string): Promise<number> {
  let removed = 0;
  for await (const { key } of platform.objects.list(buildEvidencePrefix(scope, recordId))) {
    await platform.objects.remove(key);
    removed += 1;
  }
  return removed;
}

/** The uploaded files of a record or a check in the order of upload, without derived files. */
export const findEvidence = (
  scope: Scope,
  filter: { checkId: string } | { recordId: string },
): Promise<EvidenceRecord[]> =>
  Evidence.find({
    organisationId: scope.organisationId,
    mode: scope.mode,
    deletedAt: null,
    derivedFrom: null,
    ...filter,
  })
    .sort({ _id: 1 })
    .lean<EvidenceRecord[]>();

/** Error codes of files that were lost or changed in the object store. Retrying does not help. */
const LOST_CODES = { missing: 'evidence_missing', altered: 'evidence_altered' } as const;

/** Whether a code says that a file was lost or changed. */
export const isEvidenceLost = (code: string | null): code is (typeof LOST_CODES)[keyof typeof LOST_CODES] =>
  code === LOST_CODES.missing || code === LOST_CODES.altered;

/** Logs and audits that the object of an evidence record is missing or altered. @returns the error to throw */
async function reportLostEvidence(
  platform: Platform,
  record: EvidenceRecord,
  problem: 'missing' | 'altered',
): Promise<AppError> {
  const { _id: evidenceId, organisationId, mode, recordId, objectKey } = record;
  const action = `evidence.${problem}_found`;
  platform.logger.error({ evidenceId, recordId, organisationId, objectKey }, `An evidence object is ${problem}`);
  await runTransaction(platform, (unit) =>
    unit.audit({ organisationId, mode }, { actor: 'system', action, subject: evidenceId }),
  );
  const message =
    problem === 'missing'
      ? 'The file is no longer in the object store.'
      : 'The file in the object store was changed; it is not returned.';
  return new AppError(LOST_CODES[problem], 410, message, { evidenceId });
}

async function openObject(platform: Platform, record: EvidenceRecord, key: Buffer): Promise<Buffer> {
  const sealed = await platform.objects.get(record.objectKey);
  if (sealed === null) {
    // If the record was erased in the meantime, the missing object is expected.
    const liveKey = await DataKey.exists({ _id: record.recordId, destroyedAt: null });
    throw liveKey === null ? notFoundError('evidence') : await reportLostEvidence(platform, record, 'missing');
  }
  try {
    return decrypt(key, sealed, buildObjectAad(record));
  } catch {
    throw await reportLostEvidence(platform, record, 'altered');
  }
}

/** A file of evidence and its record. */
interface EvidenceFile {
  record: EvidenceRecord;
  body: Buffer;
}

/** A record of evidence and its data key. */
interface OpenedEvidence {
  record: EvidenceRecord;
  key: Buffer;
}

/** Evidence with its data keys; what was erased is left out. One read of the records, and one of their data keys. */
async function openEvidence(
  platform: Platform,
  scope: Scope,
  evidenceIds: readonly string[],
): Promise<OpenedEvidence[]> {
  const owner = { organisationId: scope.organisationId, mode: scope.mode };
  const filter = { _id: { $in: [...evidenceIds] }, deletedAt: null, ...owner };
  const records = await Evidence.find(filter).lean<EvidenceRecord[]>();
  const keys = await openDataKeys(platform, scope, [...new Set(records.map(({ recordId }) => recordId))]);
  return records.flatMap((record) => {
    const key = keys.get(record.recordId);
    return key === undefined ? [] : [{ record, key }];
  });
}

/**
 * Reads and decrypts a file of evidence. Returns no byte before the authentication tag of the whole file is verified.
 * @throws AppError 404 if it is unknown in this scope or erased, or its data key destroyed; 410 `evidence_missing` or
 *   `evidence_altered` if it was lost or changed in the object store, which is logged and audited
 */
export async function readEvidence(platform: Platform, scope: Scope, evidenceId: string): Promise<EvidenceFile> {
  const [opened] = await openEvidence(platform, scope, [evidenceId]);
  if (opened === undefined) throw notFoundError('evidence');
  const { record, key } = opened;
  return { record, body: await openObject(platform, record, key) };
}

/** @throws AppError 404 for evidence of another type */
function toStoredFile({ record: { organisationId, contentType: type }, body }: EvidenceFile): StoredFile {
  if (!isFileType(type)) throw notFoundError('image or PDF');
  return { organisationId, type, body };
}

/**
 * Reads an uploaded image or PDF for a decoder, as the type that was recorded when it was sent.
 * @throws AppError as {@link readEvidence}; also 404 for evidence of another type
 */
export const readStoredFile = async (platform: Platform, scope: Scope, evidenceId: string): Promise<StoredFile> =>
  toStoredFile(await readEvidence(platform, scope, evidenceId));

/** Null for a file that is erased while it is read. */
function passOverErased(error: unknown): null {
  if (error instanceof AppError && error.status === 404) return null;
  throw error;
}

/**
 * Reads several files like {@link readStoredFile}, by their ids. Those for which that would throw 404 are left out.
 * @throws AppError 410
 */
export async function findStoredFiles(
  platform: Platform,
  scope: Scope,
  evidenceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const opened = await openEvidence(platform, scope, evidenceIds);
  const read = async ({ record, key }: OpenedEvidence): Promise<[string, StoredFile]> => [
    record._id,
    toStoredFile({ record, body: await openObject(platform, record, key) }),
  ];
  const files = await Promise.all(opened.map((each) => read(each).catch(passOverErased)));
  return new Map(files.filter((file) => file !== null));
}

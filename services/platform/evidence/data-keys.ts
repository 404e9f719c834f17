import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { notFoundError } from '../../../domain/errors';
import { decrypt, encrypt, KEY_BYTES } from '../../../lib/crypto/envelope';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { DataKeyRecord } from '../../../models/platform/evidence/data-key';
import type { Platform, Scope } from '../platform';
import { getCurrentWrappingKey, readWrappingKey } from './wrapping-keys';

type KeyIdentity = Pick<DataKeyRecord, '_id' | 'organisationId'>;

/** Binds a data key to its record. */
export const buildDataKeyAad = (record: KeyIdentity): string => `data-key:${record.organisationId}:${record._id}`;

/** The stored form of a data key: encrypted with the current wrapping key of its organisation. */
export async function wrapDataKey(
  platform: Platform,
  record: KeyIdentity,
  key: Buffer,
): Promise<{ generation: string; material: string; keyId: null; wrapped: null }> {
  const current = await getCurrentWrappingKey(platform, record.organisationId);
  const material = encrypt(current.key, key, buildDataKeyAad(record)).toString('base64');
  return { generation: current.generation, material, keyId: null, wrapped: null };
}

/** Decrypts a data key; null if it has been destroyed, or its wrapping key no longer exists. */
export async function findKeyMaterial(platform: Platform, record: DataKeyRecord): Promise<Buffer | null> {
  const { generation, material, keyId, wrapped, organisationId, destroyedAt } = record;
  // A process of a version without wrapping keys, which runs on during an upgrade, leaves `material` when it destroys a key.
  if (destroyedAt instanceof Date) return null;
  const aad = buildDataKeyAad(record);
  if (typeof generation === 'string' && typeof material === 'string') {
    const wrappingKey = await readWrappingKey(platform, organisationId, generation);
    return wrappingKey === null ? null : decrypt(wrappingKey, Buffer.from(material, 'base64'), aad);
  }
  // Of a version without wrapping keys.
  if (typeof keyId !== 'string' || typeof wrapped !== 'string') return null;
  return platform.masterKey.open({ keyId, data: wrapped }, aad);
}

/** Decrypts a data key. @throws AppError 404 if it has been destroyed */
export async function unwrapDataKey(platform: Platform, record: DataKeyRecord): Promise<Buffer> {
  const key = await findKeyMaterial(platform, record);
  if (key === null) throw notFoundError('evidence');
  return key;
}

/**
 * The data key of a person record (session, standalone check, indexed face), created on first use.
 * @throws AppError 404 if the record has been erased
 */
export async function ensureDataKey(
  platform: Platform,
  scope: Scope,
  recordId: string,
): Promise<{ key: Buffer; version: number }> {
  const owner = { organisationId: scope.organisationId, mode: scope.mode };
  const existing = await DataKey.findOne({ _id: recordId, ...owner }).lean<DataKeyRecord>();
  if (existing !== null) return { key: await unwrapDataKey(platform, existing), version: existing.version };
  const key = randomBytes(KEY_BYTES);
  const identity = { _id: recordId, organisationId: scope.organisationId };
  try {
    const wrapped = await wrapDataKey(platform, identity, key);
    await DataKey.create({ _id: recordId, ...owner, ...wrapped, version: 1, createdAt: platform.clock.now() });
    return { key, version: 1 };
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    return ensureDataKey(platform, scope, recordId);
  }
}

/**
 * Creates the data keys of records that have none, in the transaction that inserts the records.
 * @throws AppError 404 if one of the records has been erased
 */
export async function createDataKeys(
  platform: Platform,
  { organisationId, mode }: Scope,
  recordIds: readonly string[],
  mongoSession: ClientSession | null,
): Promise<Map<string, Buffer>> {
  const keys = new Map(recordIds.map((recordId) => [recordId, randomBytes(KEY_BYTES)]));
  const createdAt = platform.clock.now();
  const records = await Promise.all(
    [...keys].map(async ([_id, key]) => ({
      _id,
      organisationId,
      mode,
      ...(await wrapDataKey(platform, { _id, organisationId }, key)),
      version: 1,
      createdAt,
    })),
  );
  const known = await DataKey.exists({ _id: { $in: recordIds } }).session(mongoSession);
  if (known !== null) throw notFoundError('record');
  await DataKey.insertMany(records, { ...(mongoSession === null ? {} : { session: mongoSession }) });
  return keys;
}

/** A value in MongoDB that is encrypted with the data key of a person record; `name` binds it to its field. */
export interface SealedValue {
  recordId: string;
  name: string;
  sealed: Buffer;
}

export const buildValueAad = (organisationId: string, recordId: string, name: string): string =>
  `value:${organisationId}:${recordId}:${name}`;

/** Encrypts a value with the existing data key of a record. @throws AppError 404 if the key has been destroyed */
export async function sealValue(
  platform: Platform,
  scope: Scope,
  recordId: string,
  name: string,
  value: Buffer,
  mongoSession: ClientSession | null = null,
): Promise<Buffer> {
  const key = (await openDataKeys(platform, scope, [recordId], mongoSession)).get(recordId);
  if (key === undefined) throw notFoundError('data key');
  return encrypt(key, value, buildValueAad(scope.organisationId, recordId, name));
}

/** The data keys of several records of a scope; destroyed ones are left out. */
export async function openDataKeys(
  platform: Platform,
  { organisationId, mode }: Scope,
  ids: readonly string[],
  mongoSession: ClientSession | null = null,
): Promise<Map<string, Buffer>> {
  const records = await DataKey.find({ _id: { $in: ids }, organisationId, mode })
    .session(mongoSession)
    .lean<DataKeyRecord[]>();
  const keys = new Map<string, Buffer>();
  for (const record of records) {
    const key = await findKeyMaterial(platform, record);
    if (key !== null) keys.set(record._id, key);
  }
  return keys;
}

/** Decrypts several values; null for those whose data key has been destroyed. */
export async function openValues(
  platform: Platform,
  scope: Scope,
  values: readonly SealedValue[],
): Promise<(Buffer | null)[]> {
  const keys = await openDataKeys(platform, scope, [...new Set(values.map(({ recordId }) => recordId))]);
  return values.map(({ recordId, name, sealed }) => {
    const key = keys.get(recordId);
    return key === undefined ? null : decrypt(key, sealed, buildValueAad(scope.organisationId, recordId, name));
  });
}

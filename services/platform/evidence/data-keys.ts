import { randomBytes } from 'node:crypto';
import { notFoundError } from '../../../domain/errors';
import { decrypt, encrypt, KEY_BYTES } from '../../../lib/crypto/envelope';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { DataKeyRecord } from '../../../models/platform/evidence/data-key';
import type { Platform, Scope } from '../platform';

/** Binds a data key to its record. */
export const buildDataKeyAad = (record: { _id: string; organisationId: string }): string =>
  `data-key:${record.organisationId}:${record._id}`;

/** Decrypts a data key with the master key. @throws AppError 404 if it has been destroyed */
export function unwrapDataKey(platform: Platform, record: DataKeyRecord): Buffer {
  if (typeof record.wrapped !== 'string') throw notFoundError('evidence');
  return platform.masterKey.open({ keyId: record.keyId, data: record.wrapped }, buildDataKeyAad(record));
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
  if (existing !== null) return { key: unwrapDataKey(platform, existing), version: existing.version };
  const key = randomBytes(KEY_BYTES);
  const sealed = platform.masterKey.seal(key, buildDataKeyAad({ _id: recordId, organisationId: scope.organisationId }));
  try {
    await DataKey.create({
      _id: recordId,
      ...owner,
      keyId: sealed.keyId,
      wrapped: sealed.data,
      version: 1,
      createdAt: platform.clock.now(),
    });
    return { key, version: 1 };
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    return ensureDataKey(platform, scope, recordId);
  }
}

/** A value in MongoDB that is encrypted with the data key of a person record; `name` binds it to its field. */
export interface SealedValue {
  recordId: string;
  name: string;
  sealed: Buffer;
}

const buildValueAad = (scope: Scope, recordId: string, name: string): string =>
  `value:${scope.organisationId}:${recordId}:${name}`;

/** Encrypts a value with the existing data key of a record. @throws AppError 404 if the key has been destroyed */
export async function sealValue(
  platform: Platform,
  scope: Scope,
  recordId: string,
  name: string,
  value: Buffer,
): Promise<Buffer> {
  const keys = await readDataKeys(scope, [recordId]);
  const record = keys.get(recordId);
  if (record === undefined) throw notFoundError('data key');
  return encrypt(unwrapDataKey(platform, record), value, buildValueAad(scope, recordId, name));
}

async function readDataKeys(scope: Scope, ids: readonly string[]): Promise<Map<string, DataKeyRecord>> {
  const { organisationId, mode } = scope;
  const records = await DataKey.find({ _id: { $in: ids }, organisationId, mode }).lean<DataKeyRecord[]>();
  return new Map(records.map((record) => [record._id, record]));
}

/** Decrypts several values; null for those whose data key has been destroyed. */
export async function openValues(
  platform: Platform,
  scope: Scope,
  values: readonly SealedValue[],
): Promise<(Buffer | null)[]> {
  const keys = await readDataKeys(scope, [...new Set(values.map(({ recordId }) => recordId))]);
  return values.map(({ recordId, name, sealed }) => {
    const record = keys.get(recordId);
    return record === undefined || typeof record.wrapped !== 'string'
      ? null
      : decrypt(unwrapDataKey(platform, record), sealed, buildValueAad(scope, recordId, name));
  });
}

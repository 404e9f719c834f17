import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { notFoundError } from '../../../domain/errors';
import { decrypt, encrypt, KEY_BYTES } from '../../../lib/crypto/envelope';
import { findTransactionRun, isDuplicateKeyError } from '../../../lib/mongo';
import type { TransactionRun } from '../../../lib/mongo';
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

/** A data key, decrypted. */
export interface OpenedKey {
  key: Buffer;
  version: number;
}

/** Reads outside of transactions that belong together; null once they have ended. */
interface Reading {
  run: TransactionRun | null;
}

const readings = new AsyncLocalStorage<Reading>();

/**
 * Runs reads of one record that belong together, such as those of a session and its checks, so that its data key is read
 * once. It is kept until `read` has ended, which waits for nothing but the database: an erasure meanwhile counts as later.
 * A transaction within it reads its keys itself.
 */
export async function readTogether<T>(read: () => Promise<T>): Promise<T> {
  const reading: Reading = { run: {} };
  try {
    return await readings.run(reading, read);
  } finally {
    // What was begun within it and goes on does not keep any key.
    reading.run = null;
  }
}

const identifyKey = ({ organisationId, mode }: Scope, recordId: string): string =>
  `${organisationId}/${mode}/${recordId}`;

/**
 * Data keys that a transaction, or reads that belong together, have read or created, by scope and record: the same record
 * is decrypted several times. They are kept for no longer than it lasts, since a key that another process destroys must not
 * be used any more.
 */
const keysByRun = new WeakMap<TransactionRun, Map<string, OpenedKey>>();

const findRun = (mongoSession: ClientSession | null): TransactionRun | undefined =>
  mongoSession === null ? (readings.getStore()?.run ?? undefined) : findTransactionRun(mongoSession);

function findKeptKey(scope: Scope, recordId: string, mongoSession: ClientSession | null): OpenedKey | undefined {
  const run = findRun(mongoSession);
  return run === undefined ? undefined : keysByRun.get(run)?.get(identifyKey(scope, recordId));
}

function keepKeys(scope: Scope, keys: ReadonlyMap<string, OpenedKey>, mongoSession: ClientSession | null): void {
  const run = findRun(mongoSession);
  if (run === undefined) return;
  const kept = keysByRun.get(run) ?? new Map<string, OpenedKey>();
  for (const [id, key] of keys) kept.set(identifyKey(scope, id), key);
  keysByRun.set(run, kept);
}

/** To be called by a transaction that destroys data keys. */
export function forgetKeys(mongoSession: ClientSession): void {
  const run = findTransactionRun(mongoSession);
  if (run !== undefined) keysByRun.delete(run);
}

/**
 * The data key of a person record (session, standalone check, indexed face), created on first use.
 * @throws AppError 404 if the record has been erased
 */
export async function ensureDataKey(platform: Platform, scope: Scope, recordId: string): Promise<OpenedKey> {
  const kept = findKeptKey(scope, recordId, null);
  if (kept !== undefined) return kept;
  const opened = await findOrCreateKey(platform, scope, recordId);
  keepKeys(scope, new Map([[recordId, opened]]), null);
  return opened;
}

async function findOrCreateKey(platform: Platform, scope: Scope, recordId: string): Promise<OpenedKey> {
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
    return findOrCreateKey(platform, scope, recordId);
  }
}

/**
 * Creates the data keys of records that have none, in the transaction that inserts the records.
 * @throws AppError 404 if one of the records has been erased
 */
export async function createDataKeys(
  platform: Platform,
  scope: Scope,
  recordIds: readonly string[],
  mongoSession: ClientSession | null,
): Promise<Map<string, Buffer>> {
  const { organisationId, mode } = scope;
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
  if (mongoSession === null) {
    if ((await DataKey.exists({ _id: { $in: recordIds } })) !== null) throw notFoundError('record');
    await DataKey.insertMany(records);
  } else {
    await insertInTransaction(records, mongoSession);
  }
  keepKeys(scope, new Map([...keys].map(([id, key]) => [id, { key, version: 1 }])), mongoSession);
  return keys;
}

/**
 * Inserts keys of records whose keys the transaction has not found. One that exists nevertheless was destroyed; one that
 * another transaction has created meanwhile is a write conflict, after which this one is repeated.
 * @throws AppError 404 if one of the records has been erased
 */
async function insertInTransaction(
  records: readonly (KeyIdentity & Pick<DataKeyRecord, 'mode' | 'version' | 'createdAt'>)[],
  mongoSession: ClientSession,
): Promise<void> {
  try {
    await DataKey.insertMany([...records], { session: mongoSession });
  } catch (error) {
    throw isDuplicateKeyError(error) ? notFoundError('record') : error;
  }
}

/** A value in MongoDB that is encrypted with the data key of a person record; `name` binds it to its field. */
export interface SealedValue {
  recordId: string;
  name: string;
  sealed: Buffer;
}

/** Binds an encrypted value to its record and name. */
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

/** Reads and decrypts data keys; destroyed ones are left out. */
async function readDataKeys(
  platform: Platform,
  { organisationId, mode }: Scope,
  ids: readonly string[],
  mongoSession: ClientSession | null,
): Promise<Map<string, OpenedKey>> {
  const keys = new Map<string, OpenedKey>();
  if (ids.length === 0) return keys;
  const records = await DataKey.find({ _id: { $in: ids }, organisationId, mode })
    .session(mongoSession)
    .lean<DataKeyRecord[]>();
  for (const record of records) {
    const key = await findKeyMaterial(platform, record);
    if (key !== null) keys.set(record._id, { key, version: record.version });
  }
  return keys;
}

/**
 * The data keys of several records of a scope; destroyed ones are left out. A transaction, or reads that belong together,
 * read each of them once.
 */
export async function openDataKeys(
  platform: Platform,
  scope: Scope,
  ids: readonly string[],
  mongoSession: ClientSession | null = null,
): Promise<Map<string, Buffer>> {
  const keys = new Map<string, OpenedKey>();
  for (const id of ids) {
    const kept = findKeptKey(scope, id, mongoSession);
    if (kept !== undefined) keys.set(id, kept);
  }
  const unknown = ids.filter((id) => !keys.has(id));
  const read = await readDataKeys(platform, scope, unknown, mongoSession);
  keepKeys(scope, read, mongoSession);
  return new Map([...keys, ...read].map(([id, { key }]) => [id, key]));
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

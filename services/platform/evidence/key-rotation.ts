import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { DAY_MS } from '../../../domain/durations';
import { AppError } from '../../../domain/errors';
import { isDuplicateKeyError, withMongoTransaction } from '../../../lib/mongo';
import { isMongoUnavailable } from '../../../lib/mongo-errors';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { DataKeyRecord } from '../../../models/platform/evidence/data-key';
import type { Platform } from '../platform';
import { BLIND_MARK, rekeyBlindValue } from './blind-index';
import { findKeyMaterial, wrapDataKey } from './data-keys';
import {
  createGeneration,
  getCurrentWrappingKey,
  getGenerationTime,
  getIndexingGeneration,
  listGenerations,
  listKeyedOrganisations,
  removeGeneration,
} from './wrapping-keys';

const BATCH_SIZE = 500;
/** Time in which a run after the one that created a generation has encrypted the blind indexes with it. */
const REINDEX_DELAY_MS = DAY_MS;

/** A field that holds values of a blind index. */
export interface BlindField {
  collection: string;
  field: string;
  /** Whether it is a list of values. */
  isList: boolean;
  /** Whether rows have `deletedAt`; rows that are being erased are left out. */
  isErasable: boolean;
  /** The list of a row that is added to that of an equal row, where the field is unique. */
  mergedList?: string;
}

/** What a run changed. */
export interface KeyRotation {
  /** New generations. */
  created: number;
  /** Data keys that are encrypted with another wrapping key now. */
  rewrapped: number;
  /** Rows whose blind indexes are encrypted with another wrapping key now. */
  reindexed: number;
  /** Generations removed for ever. */
  removed: number;
}

/** Encrypts a batch of data keys with the current wrapping key; a key changed by someone else meanwhile stays as it is. */
async function rewrapBatch(platform: Platform, records: readonly DataKeyRecord[]): Promise<number> {
  const rewraps: { record: DataKeyRecord; after: Awaited<ReturnType<typeof wrapDataKey>> }[] = [];
  for (const record of records) {
    const key = await findKeyMaterial(platform, record);
    // The generation of a key from an old backup may be gone: it can never be read again.
    if (key !== null) rewraps.push({ record, after: await wrapDataKey(platform, record, key) });
  }
  if (rewraps.length === 0) return 0;
  const written = await DataKey.bulkWrite(
    rewraps.map(({ record: { _id, generation = null }, after }) => ({
      updateOne: { filter: { _id, generation, destroyedAt: null }, update: { $set: after } },
    })),
    { ordered: false },
  );
  return written.modifiedCount;
}

async function rewrapGeneration(
  platform: Platform,
  organisationId: string,
  generation: string | null,
): Promise<number> {
  let rewrapped = 0;
  let after = '';
  for (;;) {
    const records = await DataKey.find({ organisationId, generation, destroyedAt: null, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .lean<DataKeyRecord[]>();
    const last = records.at(-1);
    if (last === undefined) return rewrapped;
    rewrapped += await rewrapBatch(platform, records);
    after = last._id;
  }
}

async function rewrapDataKeys(platform: Platform, organisationId: string, current: string): Promise<number> {
  let rewrapped = 0;
  for (const generation of await DataKey.distinct('generation', { organisationId, destroyedAt: null })) {
    if (generation !== current) rewrapped += await rewrapGeneration(platform, organisationId, generation ?? null);
  }
  return rewrapped;
}

/** A row of any collection. */
type StoredRow = Record<string, unknown> & { _id: mongo.ObjectId };

const isString = (value: unknown): value is string => typeof value === 'string';

/** Values of generations before `current`: generations sort by age. */
const buildOutdatedRange = (current: string) => ({ $gte: BLIND_MARK, $lt: `${BLIND_MARK}${current}` });

function getCollection(name: string): mongo.Collection {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  return db.collection(name);
}

/** With all leading fields of the index of the field. */
const buildRowFilter = (organisationId: string, { field, isList, isErasable }: BlindField, range: object) => ({
  organisationId,
  mode: { $in: ['live', 'test'] },
  ...(isErasable ? { deletedAt: null } : {}),
  [field]: isList ? { $elemMatch: range } : range,
});

/** The value of a blind field under a generation. A value whose own generation is not in the key store stays as it is. */
async function rekeyField(
  platform: Platform,
  organisationId: string,
  stored: unknown,
  generation: string,
): Promise<unknown> {
  const rekey = async (value: string): Promise<string> =>
    value.startsWith(BLIND_MARK)
      ? ((await rekeyBlindValue(platform, organisationId, value, generation)) ?? value)
      : value;
  if (Array.isArray(stored)) return Promise.all(stored.filter(isString).map(rekey));
  return isString(stored) ? rekey(stored) : null;
}

/**
 * Removes a row that stands for the same value as another one, to which its list is added. Processes that wrote at the
 * same time under two generations have created both.
 */
async function mergeRow(
  collection: mongo.Collection,
  { field, mergedList }: BlindField,
  found: StoredRow,
  value: unknown,
): Promise<number> {
  return withMongoTransaction(async (session) => {
    const row: StoredRow | null = await collection.findOne({ _id: found._id, [field]: found[field] }, { session });
    if (row === null) return 0;
    if (mergedList !== undefined) {
      const other = { organisationId: row['organisationId'], mode: row['mode'], [field]: value };
      const list = row[mergedList];
      const added = { $each: Array.isArray(list) ? list : [], $position: 0 };
      const update: mongo.Document = { $push: { [mergedList]: added } };
      // If the other row was removed meanwhile, the next run re-encrypts this one.
      if ((await collection.updateOne(other, update, { session })).matchedCount === 0) return 0;
    }
    return (await collection.deleteOne({ _id: row._id }, { session })).deletedCount;
  });
}

/** Writes the value of a row under another generation. @returns the number of rows that changed */
async function reindexRow(
  collection: mongo.Collection,
  blindField: BlindField,
  row: StoredRow,
  value: unknown,
): Promise<number> {
  const { field } = blindField;
  try {
    // A row that changed meanwhile is left to the next run.
    const written = await collection.updateOne({ _id: row._id, [field]: row[field] }, { $set: { [field]: value } });
    return written.modifiedCount;
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    return mergeRow(collection, blindField, row, value);
  }
}

async function reindexField(
  platform: Platform,
  organisationId: string,
  blindField: BlindField,
  current: string,
): Promise<number> {
  const collection = getCollection(blindField.collection);
  const { field } = blindField;
  const rows = collection
    .find(buildRowFilter(organisationId, blindField, buildOutdatedRange(current)), { projection: { [field]: 1 } })
    .batchSize(BATCH_SIZE);
  let reindexed = 0;
  for await (const row of rows) {
    const value = await rekeyField(platform, organisationId, row[field], current);
    if (value !== null) reindexed += await reindexRow(collection, blindField, row, value);
  }
  return reindexed;
}

/** Whether anything that can still be read is encrypted with a generation. */
async function isInUse(organisationId: string, generation: string, fields: readonly BlindField[]): Promise<boolean> {
  if ((await DataKey.exists({ organisationId, generation, destroyedAt: null })) !== null) return true;
  // The next character after the colon that ends the generation is a semicolon.
  const range = { $gte: `${BLIND_MARK}${generation}:`, $lt: `${BLIND_MARK}${generation};` };
  for (const field of fields) {
    const filter = buildRowFilter(organisationId, field, range);
    const row = await getCollection(field.collection).findOne(filter, { projection: { _id: 1 } });
    if (row !== null) return true;
  }
  return false;
}

/** Removes the generations that were replaced longer ago than the retention and encrypt nothing any more. */
async function removeExpiredGenerations(
  platform: Platform,
  organisationId: string,
  fields: readonly BlindField[],
): Promise<number> {
  const generations = await listGenerations(platform, organisationId);
  const retentionMs = platform.config.KEY_RETENTION_DAYS * DAY_MS + REINDEX_DELAY_MS;
  const retainedSince = platform.clock.now().getTime() - retentionMs;
  let removed = 0;
  for (const [index, generation] of generations.entries()) {
    const successor = index === 0 ? undefined : generations[index - 1];
    // A generation is replaced when its successor is created.
    if (successor === undefined || getGenerationTime(successor).getTime() > retainedSince) continue;
    if (await isInUse(organisationId, generation, fields)) continue;
    await removeGeneration(platform, organisationId, generation);
    removed += 1;
  }
  return removed;
}

async function rotateOrganisation(
  platform: Platform,
  organisationId: string,
  fields: readonly BlindField[],
): Promise<KeyRotation> {
  const { clock, config } = platform;
  let { generation } = await getCurrentWrappingKey(platform, organisationId);
  const replacedBefore = clock.now().getTime() - config.KEY_ROTATION_DAYS * DAY_MS;
  const isOld = getGenerationTime(generation).getTime() <= replacedBefore;
  if (isOld) ({ generation } = await createGeneration(platform, organisationId));
  const rewrapped = await rewrapDataKeys(platform, organisationId, generation);
  let reindexed = 0;
  const indexing = await getIndexingGeneration(platform, organisationId);
  for (const field of fields) reindexed += await reindexField(platform, organisationId, field, indexing);
  const removed = await removeExpiredGenerations(platform, organisationId, fields);
  return { created: isOld ? 1 : 0, rewrapped, reindexed, removed };
}

/**
 * Replaces wrapping keys that have reached their age, re-encrypts what is still in use with the new ones, and removes
 * replaced ones whose retention has ended. What an erasure has destroyed is not re-encrypted, so that from then on no
 * backup from before the erasure can be decrypted. Interrupted runs are resumed by the next one; concurrent runs are
 * safe. An organisation whose data was altered does not keep the others from being rotated.
 * @throws AggregateError with the failures of organisations, after all others were rotated
 * @param organisations limits the run @default every organisation
 */
export async function rotateWrappingKeys(
  platform: Platform,
  fields: readonly BlindField[],
  organisations?: readonly string[],
): Promise<KeyRotation> {
  const total: KeyRotation = { created: 0, rewrapped: 0, reindexed: 0, removed: 0 };
  // Data keys of versions without wrapping keys belong to organisations that may have none yet.
  const all = async (): Promise<string[]> => [
    ...(await listKeyedOrganisations(platform)),
    ...(await DataKey.distinct('organisationId', { generation: null, destroyedAt: null })),
  ];
  const failures: unknown[] = [];
  for (const organisationId of new Set(organisations ?? (await all()))) {
    try {
      const rotated = await rotateOrganisation(platform, organisationId, fields);
      total.created += rotated.created;
      total.rewrapped += rotated.rewrapped;
      total.reindexed += rotated.reindexed;
      total.removed += rotated.removed;
    } catch (error) {
      if (isMongoUnavailable(error) || (error instanceof AppError && error.status === 503)) throw error;
      platform.logger.error({ organisationId, err: error }, 'The wrapping keys of an organisation were not replaced');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some wrapping keys were not replaced.');
  return total;
}

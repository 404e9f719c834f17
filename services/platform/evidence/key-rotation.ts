import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { DAY_MS } from '../../../domain/durations';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { DataKeyRecord } from '../../../models/platform/evidence/data-key';
import type { Platform } from '../platform';
import { BLIND_MARK, rekeyBlindValue } from './blind-index';
import { findKeyMaterial, wrapDataKey } from './data-keys';
import {
  createGeneration,
  getCurrentWrappingKey,
  getGenerationTime,
  listGenerations,
  listKeyedOrganisations,
  removeGeneration,
} from './wrapping-keys';

const BATCH_SIZE = 500;

/** A field that holds values of a blind index. */
export interface BlindField {
  collection: string;
  field: string;
  /** Whether it is a list of values. */
  isList: boolean;
  /** Whether rows have `deletedAt`; rows that are being erased are left out. */
  isErasable: boolean;
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

/** The value of a blind field under the current generation. Values of a generation that is gone are left out of lists. */
async function rekeyField(platform: Platform, organisationId: string, stored: unknown): Promise<unknown> {
  const rekey = (value: string): Promise<string | null> =>
    value.startsWith(BLIND_MARK) ? rekeyBlindValue(platform, organisationId, value) : Promise.resolve(value);
  if (Array.isArray(stored)) {
    const values = await Promise.all(stored.filter(isString).map(rekey));
    return values.filter((value) => value !== null);
  }
  return isString(stored) ? rekey(stored) : null;
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
    const stored: unknown = row[field];
    const value = await rekeyField(platform, organisationId, stored);
    if (value === null) continue;
    // A row that changed meanwhile is left to the next run.
    const written = await collection.updateOne({ _id: row._id, [field]: stored }, { $set: { [field]: value } });
    reindexed += written.modifiedCount;
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
  const retainedSince = platform.clock.now().getTime() - platform.config.KEY_RETENTION_DAYS * DAY_MS;
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
  for (const field of fields) reindexed += await reindexField(platform, organisationId, field, generation);
  const removed = await removeExpiredGenerations(platform, organisationId, fields);
  return { created: isOld ? 1 : 0, rewrapped, reindexed, removed };
}

/**
 * Replaces wrapping keys that have reached their age, re-encrypts what is still in use with the new ones, and removes
 * replaced ones whose retention has ended. What an erasure has destroyed is not re-encrypted, so that from then on no
 * backup from before the erasure can be decrypted. Interrupted runs are resumed by the next one; concurrent runs are
 * safe.
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
  for (const organisationId of new Set(organisations ?? (await all()))) {
    const rotated = await rotateOrganisation(platform, organisationId, fields);
    total.created += rotated.created;
    total.rewrapped += rotated.rewrapped;
    total.reindexed += rotated.reindexed;
    total.removed += rotated.removed;
  }
  return total;
}

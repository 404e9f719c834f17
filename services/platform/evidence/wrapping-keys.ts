import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { MINUTE_MS } from '../../../domain/durations';
import { AppError, unavailableError } from '../../../domain/errors';
import { KEY_BYTES } from '../../../lib/crypto/envelope';
import type { SealedSecret } from '../../../lib/crypto/master-key';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { Platform } from '../platform';

/** What wrapping keys need of the platform. */
export type KeyContext = Pick<Platform, 'clock' | 'keyStore' | 'masterKey' | 'singletons'>;

/**
 * A wrapping key of an organisation: it encrypts the data keys of its person records and is itself encrypted with the
 * master key. The newest generation encrypts. A generation is in the key store only, so that a backup of the database
 * and of the files can be decrypted no longer than its generation exists.
 */
export interface WrappingKey {
  generation: string;
  key: Buffer;
}

const GENERATION = /^([0-9a-z]{9})[0-9a-f]{12}$/;

/** The id of a new generation: its time of creation, so that ids sort by age, and a random part. */
const buildGenerationId = (now: Date): string =>
  now.getTime().toString(36).padStart(9, '0') + randomBytes(6).toString('hex');

/** When a generation was created. */
export const getGenerationTime = (generation: string): Date => new Date(Number.parseInt(generation.slice(0, 9), 36));

const buildEntryName = (organisationId: string, generation: string): string => `${organisationId}/${generation}`;

const buildAad = (organisationId: string, generation: string): string => `wrapping-key:${organisationId}:${generation}`;

const entrySchema = z.object({ keyId: z.string(), data: z.string() });

const encodeEntry = ({ keyId, data }: SealedSecret): Buffer => Buffer.from(JSON.stringify({ keyId, data }), 'utf8');

/** An entry of the key store. */
export interface SealedWrappingKey extends SealedSecret {
  /** What binds the key to its name. */
  aad: string;
  /** The entry as it was read. */
  body: Buffer;
}

/** What an entry of the key store, or a copy of it, contains. */
export function parseSealedWrappingKey(name: string, body: Buffer): SealedWrappingKey {
  const [organisationId = '', generation = ''] = name.split('/');
  return { ...entrySchema.parse(JSON.parse(body.toString('utf8'))), aad: buildAad(organisationId, generation), body };
}

/** An entry of the key store as it is; null if it does not exist. */
export async function readSealedWrappingKey(
  { keyStore }: Pick<Platform, 'keyStore'>,
  name: string,
): Promise<SealedWrappingKey | null> {
  const body = await keyStore.read(name);
  return body === null ? null : parseSealedWrappingKey(name, body);
}

/**
 * Writes an entry that another master key encrypts, unless it was removed or replaced since it was read.
 * @returns whether it was written
 */
export const replaceSealedWrappingKey = (
  { keyStore }: Pick<Platform, 'keyStore'>,
  name: string,
  seen: SealedWrappingKey,
  sealed: SealedSecret,
): Promise<boolean> => keyStore.replace(name, seen.body, encodeEntry(sealed));

/** Names of the entries of all organisations. */
export async function* listWrappingKeyNames({ keyStore }: Pick<Platform, 'keyStore'>): AsyncIterable<string> {
  for await (const name of keyStore.list('')) if (findKeyedOrganisation(name) !== null) yield name;
}

const KEY_LIFETIME_MS = 5 * MINUTE_MS;
const GENERATIONS_LIFETIME_MS = MINUTE_MS;
/** Organisations whose keys are held in memory. */
const MAX_ENTRIES = 2000;

/** A value with the time at which it was read. */
interface Timed<T> {
  value: T;
  readAt: number;
}

class TimedCache<T> extends LRUCache<string, Timed<T>> {
  /** Reads that have not ended, which simultaneous callers share. */
  readonly reads = new Map<string, Promise<T | null>>();

  /** A read that began before is not shared any more. */
  override delete(name: string): boolean {
    this.reads.delete(name);
    return super.delete(name);
  }
}

const addReadTime = <T>(value: T): Timed<T> => ({ value, readAt: performance.now() });

class WrappingKeyCache {
  /** By entry name. */
  readonly keys = new TimedCache<Buffer>({ max: MAX_ENTRIES });
  /** Generations of an organisation, newest first. */
  readonly generations = new TimedCache<readonly string[]>({ max: MAX_ENTRIES });
  /** First generations that are being created, so that simultaneous requests create one. */
  readonly creations = new Map<string, Promise<WrappingKey>>();
}

/** Reads through a cache; during an outage of the key store an entry serves beyond its lifetime. */
async function readThrough<T>(
  cache: TimedCache<T>,
  name: string,
  lifetimeMs: number,
  read: () => Promise<T | null>,
): Promise<T | null> {
  const cached = cache.get(name);
  if (cached !== undefined && performance.now() - cached.readAt < lifetimeMs) return cached.value;
  const reading = cache.reads.get(name) ?? read().finally(() => cache.reads.delete(name));
  cache.reads.set(name, reading);
  try {
    const value = await reading;
    if (value === null) cache.delete(name);
    else cache.set(name, addReadTime(value));
    return value;
  } catch (error) {
    if (cached !== undefined && error instanceof AppError && error.status === 503) return cached.value;
    throw error;
  }
}

async function readEntry(platform: KeyContext, organisationId: string, generation: string): Promise<Buffer | null> {
  const sealed = await readSealedWrappingKey(platform, buildEntryName(organisationId, generation));
  return sealed === null ? null : platform.masterKey.open(sealed, sealed.aad);
}

/** The key of a generation; null once it has been removed from the key store. */
export const readWrappingKey = (
  platform: KeyContext,
  organisationId: string,
  generation: string,
): Promise<Buffer | null> =>
  readThrough(
    platform.singletons.get(WrappingKeyCache).keys,
    buildEntryName(organisationId, generation),
    KEY_LIFETIME_MS,
    () => readEntry(platform, organisationId, generation),
  );

async function readGenerations(platform: KeyContext, organisationId: string): Promise<string[] | null> {
  const generations: string[] = [];
  for await (const name of platform.keyStore.list(`${organisationId}/`)) {
    const generation = name.slice(organisationId.length + 1);
    if (GENERATION.test(generation)) generations.push(generation);
  }
  // That there is none yet is not remembered: another process may create the first one at any time.
  return generations.length === 0 ? null : generations.sort().reverse();
}

/** The generations of an organisation that exist, newest first. */
export async function listGenerations(platform: KeyContext, organisationId: string): Promise<readonly string[]> {
  const { generations } = platform.singletons.get(WrappingKeyCache);
  const found = await readThrough(generations, organisationId, GENERATIONS_LIFETIME_MS, () =>
    readGenerations(platform, organisationId),
  );
  return found ?? [];
}

/** Creates a generation, which encrypts from now on; other processes notice it within a minute. */
export async function createGeneration(platform: KeyContext, organisationId: string): Promise<WrappingKey> {
  const generation = buildGenerationId(platform.clock.now());
  const key = randomBytes(KEY_BYTES);
  const sealed = platform.masterKey.seal(key, buildAad(organisationId, generation));
  const name = buildEntryName(organisationId, generation);
  await platform.keyStore.write(name, encodeEntry(sealed));
  const cache = platform.singletons.get(WrappingKeyCache);
  cache.keys.set(name, addReadTime(key));
  cache.generations.delete(organisationId);
  return { generation, key };
}

/** Selects the data keys that a wrapping key encrypts. */
const WRAPPED = { generation: { $type: 'string' }, destroyedAt: null } as const;

/**
 * Creates the first wrapping key of an organisation.
 * @throws AppError 503 `unavailable` if data keys name wrapping keys that the key store does not have: it is another one
 * or was emptied, and with a new key what the lost ones encrypt would be forgotten
 */
async function createFirst(platform: KeyContext, organisationId: string): Promise<WrappingKey> {
  if ((await DataKey.exists({ organisationId, ...WRAPPED })) === null)
    return createGeneration(platform, organisationId);
  // Another process may have created the first one at the same time.
  const [generation] = await listGenerations(platform, organisationId);
  const key = generation === undefined ? null : await readWrappingKey(platform, organisationId, generation);
  if (generation === undefined || key === null) throw keysLostError();
  return { generation, key };
}

const keysLostError = (): AppError =>
  unavailableError(
    'The key store has no key of an organisation whose data is encrypted: S3_KEY_BUCKET names another bucket, or it was emptied.',
  );

/**
 * Rejects if the key store is not the one that belongs to the database. One organisation stands for all: its keys are
 * lost together with those of the others.
 */
export async function checkKeyStore(platform: KeyContext): Promise<void> {
  const wrapped = await DataKey.findOne({ organisationId: { $gt: '' }, ...WRAPPED }, { organisationId: 1 })
    .sort({ organisationId: 1 })
    .lean<{ organisationId: string }>();
  if (wrapped !== null && (await listGenerations(platform, wrapped.organisationId)).length === 0) throw keysLostError();
}

function createFirstGeneration(platform: KeyContext, organisationId: string): Promise<WrappingKey> {
  const { creations } = platform.singletons.get(WrappingKeyCache);
  const running = creations.get(organisationId);
  if (running !== undefined) return running;
  const creation = createFirst(platform, organisationId).finally(() => creations.delete(organisationId));
  creations.set(organisationId, creation);
  return creation;
}

/** The key that encrypts; created for the first record of an organisation. */
export async function getCurrentWrappingKey(platform: KeyContext, organisationId: string): Promise<WrappingKey> {
  const [generation] = await listGenerations(platform, organisationId);
  if (generation === undefined) return createFirstGeneration(platform, organisationId);
  const key = await readWrappingKey(platform, organisationId, generation);
  if (key === null) throw new Error(`Generation ${generation} of ${organisationId} was removed while it is current.`);
  return { generation, key };
}

/** Time until every process lists a new generation, whose lists are at most {@link GENERATIONS_LIFETIME_MS} old. */
const ANNOUNCEMENT_MS = 2 * GENERATIONS_LIFETIME_MS;

/**
 * The generation that encrypts blind indexes: the newest that every process lists. A process that does not list a
 * generation yet would not find what is stored under it, such as a document on the blocklist.
 */
export async function getIndexingGeneration(platform: KeyContext, organisationId: string): Promise<string> {
  const current = await getCurrentWrappingKey(platform, organisationId);
  const generations = await listGenerations(platform, organisationId);
  const announcedBefore = platform.clock.now().getTime() - ANNOUNCEMENT_MS;
  const isAnnounced = (generation: string): boolean => getGenerationTime(generation).getTime() <= announcedBefore;
  return generations.find(isAnnounced) ?? generations.at(-1) ?? current.generation;
}

/** Removes a generation for ever: what is encrypted with it cannot be decrypted any more. */
export async function removeGeneration(
  platform: KeyContext,
  organisationId: string,
  generation: string,
): Promise<void> {
  const name = buildEntryName(organisationId, generation);
  await platform.keyStore.remove(name);
  const cache = platform.singletons.get(WrappingKeyCache);
  cache.keys.delete(name);
  cache.generations.delete(organisationId);
}

/** The organisation of an entry; null for an entry that is no wrapping key. */
export function findKeyedOrganisation(name: string): string | null {
  const [organisationId = '', generation = ''] = name.split('/');
  return GENERATION.test(generation) ? organisationId : null;
}

/** The organisations that have wrapping keys. */
export async function listKeyedOrganisations(platform: Pick<Platform, 'keyStore'>): Promise<string[]> {
  const organisations = new Set<string>();
  for await (const name of listWrappingKeyNames(platform)) organisations.add(name.split('/')[0] ?? '');
  return [...organisations];
}

/**
 * The organisations whose data is encrypted with wrapping keys, none of which the key store has: it is not the one that
 * belongs to the database, or it was emptied. An organisation that has keys is never without one by rotation.
 */
export async function listOrganisationsWithoutKeys(platform: Pick<Platform, 'keyStore'>): Promise<string[]> {
  // Before the keys are listed, because a key is written before the first data key that it encrypts.
  const encrypted = await DataKey.distinct('organisationId', WRAPPED);
  const keyed = new Set(await listKeyedOrganisations(platform));
  return encrypted.filter((organisationId) => !keyed.has(organisationId));
}

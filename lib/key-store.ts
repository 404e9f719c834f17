import { buffer } from 'node:stream/consumers';
import { S3Error } from 'minio';
import type { Client } from 'minio';
import { convertItemError, convertStoreError, createBucketIfAbsent, createS3Client } from './object-store';
import type { Config } from './config';

/**
 * A store of small secrets that are removed for good: a bucket of its own, so that its backups can have another
 * retention than those of the database. Every method rejects with AppError 503 `unavailable` while it does not respond.
 */
export interface KeyStore {
  write(name: string, body: Buffer): Promise<void>;
  /**
   * Overwrites an entry, unless it was removed or is no longer as it was read.
   * @param seen content that was read
   * @returns whether the entry was overwritten
   */
  replace(name: string, seen: Buffer, body: Buffer): Promise<boolean>;
  /** Reads an entry; null if it does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Names of the entries under a prefix, in alphabetical order. */
  list(prefix: string): AsyncIterable<string>;
  /** Removes an entry with every version of it. */
  remove(name: string): Promise<void>;
}

/** Version id of an object that was written while its bucket had no versions. */
const UNVERSIONED = 'null';

interface ListedVersion {
  name?: string;
  versionId?: string;
}

const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof S3Error && codes.includes(error.code ?? '');

const ABSENT_CODES = ['NoSuchKey', 'NotFound', 'NoSuchBucket'];

async function readEntry(client: Client, bucket: string, name: string): Promise<Buffer | null> {
  try {
    return await buffer(await client.getObject(bucket, name));
  } catch (error) {
    if (isCode(error, ...ABSENT_CODES)) return null;
    throw error;
  }
}

/**
 * The condition is checked by the store (If-Match), so that of two writers at the same time one is refused. A store that
 * does not know it writes what was still unchanged a moment before.
 */
async function replaceEntry(
  client: Client,
  bucket: string,
  name: string,
  { seen, body }: { seen: Buffer; body: Buffer },
): Promise<boolean> {
  try {
    const { etag } = await client.statObject(bucket, name);
    const current = await readEntry(client, bucket, name);
    if (current === null || !current.equals(seen)) return false;
    const headers = { 'If-Match': `"${etag}"` };
    await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: bucket, objectName: name, headers }, body);
    return true;
  } catch (error) {
    // AWS answers 409 while another conditional write of the entry is running.
    if (isCode(error, 'PreconditionFailed', 'ConditionalRequestConflict', ...ABSENT_CODES)) return false;
    throw error;
  }
}

async function removeVersions(client: Client, bucket: string, name: string): Promise<void> {
  const versions: string[] = [];
  for await (const item of client.listObjects(bucket, name, true, { IncludeVersion: true })) {
    const version = item as ListedVersion;
    if (version.name === name && version.versionId !== undefined) versions.push(version.versionId);
  }
  // In a bucket with versions, removing the object only hides it. The newest version is removed last, so that an
  // interrupted removal leaves an entry that is listed, and removed by the next run.
  if (versions.every((versionId) => versionId === UNVERSIONED)) await client.removeObject(bucket, name);
  else for (const versionId of versions.reverse()) await client.removeObject(bucket, name, { versionId });
}

async function* listNames(client: Client, bucket: string, prefix: string): AsyncIterable<string> {
  try {
    for await (const item of client.listObjectsV2(bucket, prefix, true)) {
      const { name } = item as ListedVersion;
      if (name !== undefined) yield name;
    }
  } catch (error) {
    if (!isCode(error, 'NoSuchBucket')) throw error;
  }
}

/** The key store in the bucket of the configuration, which is created with the first entry. */
export function createKeyStore(config: Config): KeyStore {
  const client = createS3Client(config);
  const bucket = config.S3_KEY_BUCKET ?? `${config.S3_BUCKET}-keys`;
  let ready: Promise<void> | null = null;
  const prepareBucket = (): Promise<void> =>
    (ready ??= createBucketIfAbsent(client, bucket, config.S3_REGION).catch((error: unknown) => {
      ready = null;
      throw error;
    }));
  const write = async (name: string, body: Buffer): Promise<void> => {
    await prepareBucket();
    await client.putObject(bucket, name, body, body.length);
  };
  return {
    write: (name, body) => convertStoreError(write(name, body)),
    replace: (name, seen, body) => convertStoreError(replaceEntry(client, bucket, name, { seen, body })),
    read: (name) => convertStoreError(readEntry(client, bucket, name)),
    list: (prefix) => convertItemError(listNames(client, bucket, prefix)),
    remove: (name) => convertStoreError(removeVersions(client, bucket, name)),
  };
}

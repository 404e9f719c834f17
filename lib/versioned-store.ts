import { buffer } from 'node:stream/consumers';
import { S3Error } from 'minio';
import type { Client } from 'minio';
import { z } from 'zod';
import { DAY_MS } from '../domain/durations';
import { convertItemError, convertStoreError, createBucketIfAbsent, createS3Client } from './object-store';
import type { Config } from './config';

/**
 * An append-only store: each write adds a version, which S3 Object Lock protects from deletion. Both methods reject with
 * AppError 503 `unavailable` while the store does not respond.
 */
export interface VersionedStore {
  /** Adds a version of an object. @param now start of the retention period */
  append(key: string, body: Buffer, now: Date): Promise<void>;
  /** Reads the versions of an object, the one written last first, also if the object was deleted or overwritten since. */
  readVersions(key: string): AsyncIterable<Buffer>;
}

interface ObjectVersion {
  name?: string;
  versionId?: string;
  lastModified?: Date;
  isDeleteMarker?: boolean;
}

const ABSENT_BUCKET_CODES = new Set(['NoSuchBucket', 'NotFound']);

const lockSchema = z.object({ objectLockEnabled: z.literal('Enabled') });

async function bucketIsLocked(client: Client, bucket: string): Promise<boolean> {
  try {
    // The client's types declare no result.
    const lock = await Promise.resolve<unknown>(client.getObjectLockConfig(bucket));
    return lockSchema.safeParse(lock).success;
  } catch (error) {
    if (error instanceof S3Error && error.code === 'ObjectLockConfigurationNotFoundError') return false;
    throw error;
  }
}

async function ensureBucket(client: Client, bucket: string, config: Config): Promise<void> {
  const locked = config.AUDIT_RETENTION_DAYS > 0;
  await createBucketIfAbsent(client, bucket, config.S3_REGION, locked);
  if (locked && !(await bucketIsLocked(client, bucket))) {
    throw new Error(
      `Bucket ${bucket} has no Object Lock: create it with Object Lock, or set AUDIT_RETENTION_DAYS to 0.`,
    );
  }
}

/** Delete markers hide versions but do not remove them. S3 lists the versions of a key from the newest to the oldest. */
async function* listVersions(client: Client, bucket: string, key: string): AsyncIterable<ObjectVersion> {
  for await (const item of client.listObjects(bucket, key, true, { IncludeVersion: true })) {
    const version = item as ObjectVersion;
    if (version.name === key && version.isDeleteMarker !== true) yield version;
  }
}

/** The append-only store of the configuration, whose bucket is created with the first version. */
export function createVersionedStore(config: Config): VersionedStore {
  const client = createS3Client(config);
  const bucket = config.S3_AUDIT_BUCKET ?? `${config.S3_BUCKET}-audit`;
  let ready: Promise<void> | null = null;
  const prepareBucket = (): Promise<void> =>
    (ready ??= ensureBucket(client, bucket, config).catch((error: unknown) => {
      ready = null;
      throw error;
    }));

  const append = async (key: string, body: Buffer, now: Date): Promise<void> => {
    await prepareBucket();
    const { versionId } = await client.putObject(bucket, key, body, body.length);
    if (config.AUDIT_RETENTION_DAYS === 0) return;
    const retainUntilDate = new Date(now.getTime() + config.AUDIT_RETENTION_DAYS * DAY_MS).toISOString();
    if (versionId === null) throw new Error(`Bucket ${bucket} returned no version; enable versioning.`);
    await client.putObjectRetention(bucket, key, { mode: 'COMPLIANCE', retainUntilDate, versionId });
  };
  async function* readVersions(key: string): AsyncIterable<Buffer> {
    try {
      for await (const { versionId } of listVersions(client, bucket, key)) {
        const options = versionId === undefined || versionId === 'null' ? {} : { versionId };
        yield await buffer(await client.getObject(bucket, key, options));
      }
    } catch (error) {
      if (!(error instanceof S3Error && ABSENT_BUCKET_CODES.has(error.code ?? ''))) throw error;
    }
  }
  return {
    append: (key, body, now) => convertStoreError(append(key, body, now)),
    readVersions: (key) => convertItemError(readVersions(key)),
  };
}

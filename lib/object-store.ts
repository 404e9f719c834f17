import type { Readable } from 'node:stream';
import { Client, S3Error } from 'minio';
import type { Config } from './config';

/** A finished part of an upload. */
export interface UploadedPart {
  /** Part number, starting at 1. */
  number: number;
  /** ETag returned by the store. */
  etag: string;
}

/** Evidence and PDFs are read and written as a whole; larger objects are uploaded in parts and read as streams. */
export interface ObjectStore {
  /** Writes (or overwrites) an object. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Reads an object; null if the key does not exist. */
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  /** Reads an object as a stream; null if the key does not exist. */
  stream(key: string): Promise<Readable | null>;
  /** Begins a multipart upload. @returns the id of the upload */
  beginUpload(key: string, contentType: string): Promise<string>;
  /** Writes (or overwrites) a part; all parts except the last have at least {@link MIN_PART_BYTES}. @returns its ETag */
  uploadPart(key: string, uploadId: string, number: number, body: Buffer): Promise<string>;
  /** Completes an upload; a completed upload is left unchanged. */
  completeUpload(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void>;
  /** Aborts an upload and removes its parts; an unknown upload is ignored. */
  abortUpload(key: string, uploadId: string): Promise<void>;
  /** Uploads under a prefix that are neither completed nor aborted. */
  listUploads(prefix: string): AsyncIterable<{ key: string; uploadId: string; startedAt: Date }>;
  ensureBucket(): Promise<void>;
  /** Keys under a prefix with the time of their last write. */
  list(prefix: string): AsyncIterable<{ key: string; lastModified: Date }>;
  health(): Promise<void>;
}

/** S3 rejects smaller parts, except for the last one. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Unknown sizes would make the client buffer 528 MiB parts. */
const PART_BYTES = 8 * 1024 * 1024;

const isNotFoundError = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');

const isNoSuchUploadError = (error: unknown): boolean => error instanceof S3Error && error.code === 'NoSuchUpload';

const MAX_WRITE_ATTEMPTS = 4;

/** Servers that store objects as files remove empty folders and can reject concurrent writes there. */
const isFolderRaceError = (error: unknown): boolean =>
  error instanceof S3Error && error.code === 'ExistingObjectIsDirectory';

async function retryWrite(write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isFolderRaceError(error) || attempt === MAX_WRITE_ATTEMPTS) throw error;
    }
  }
}

async function openObject(client: Client, bucket: string, key: string): Promise<Readable | null> {
  try {
    return await client.getObject(bucket, key);
  } catch (error) {
    if (isNotFoundError(error)) return null;
    throw error;
  }
}

type MultipartUploads = Pick<
  ObjectStore,
  'beginUpload' | 'uploadPart' | 'completeUpload' | 'abortUpload' | 'listUploads'
>;

const createMultipartUploads = (client: Client, bucket: string): MultipartUploads => ({
  beginUpload: (key, contentType) => client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': contentType }),
  async uploadPart(key, uploadID, partNumber, body) {
    const target = { bucketName: bucket, objectName: key, uploadID, partNumber };
    const { etag } = await client.uploadPart({ ...target, headers: { 'Content-Length': body.length } }, body);
    return etag;
  },
  async completeUpload(key, uploadId, parts) {
    try {
      const completedParts = parts.map(({ number, etag }) => ({ part: number, etag }));
      await client.completeMultipartUpload(bucket, key, uploadId, completedParts);
    } catch (error) {
      // An earlier attempt may have completed it without receiving the response.
      if (!isNoSuchUploadError(error)) throw error;
      await client.statObject(bucket, key);
    }
  },
  async abortUpload(key, uploadId) {
    try {
      await client.abortMultipartUpload(bucket, key, uploadId);
    } catch (error) {
      if (!isNoSuchUploadError(error)) throw error;
    }
  },
  async *listUploads(prefix) {
    for await (const item of client.listIncompleteUploads(bucket, prefix, true)) {
      const { key, uploadId, initiated } = item as { key?: string; uploadId?: string; initiated?: Date | string };
      if (key !== undefined && uploadId !== undefined && initiated !== undefined)
        yield { key, uploadId, startedAt: new Date(initiated) };
    }
  },
});

/** A client for the configured S3 server. */
export function createS3Client(config: Config): Client {
  const endpoint = new URL(config.S3_ENDPOINT);
  const secure = endpoint.protocol === 'https:';
  return new Client({
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (secure ? 443 : 80) : Number(endpoint.port),
    useSSL: secure,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    region: config.S3_REGION,
    pathStyle: true,
    partSize: PART_BYTES,
  });
}

export function createObjectStore(config: Config): ObjectStore {
  const client = createS3Client(config);
  const bucket = config.S3_BUCKET;

  return {
    async put(key, body, contentType) {
      await retryWrite(() => client.putObject(bucket, key, body, body.length, { 'Content-Type': contentType }));
    },
    async get(key) {
      const stream = await openObject(client, bucket, key);
      if (stream === null) return null;
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    stream: (key) => openObject(client, bucket, key),
    async remove(key) {
      await client.removeObject(bucket, key);
    },
    ...createMultipartUploads(client, bucket),
    async ensureBucket() {
      if (await client.bucketExists(bucket)) return;
      try {
        await client.makeBucket(bucket, config.S3_REGION);
      } catch (error) {
        // Another process may have created the bucket at the same time.
        if (!(await client.bucketExists(bucket))) throw error;
      }
    },
    async *list(prefix) {
      for await (const item of client.listObjectsV2(bucket, prefix, true)) {
        const entry = item as { name?: string; lastModified?: Date };
        if (entry.name !== undefined && entry.lastModified !== undefined) {
          yield { key: entry.name, lastModified: entry.lastModified };
        }
      }
    },
    async health() {
      if (!(await client.bucketExists(bucket))) throw new Error(`Bucket ${bucket} is missing.`);
    },
  };
}

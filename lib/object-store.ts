import { Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client, S3Error } from 'minio';
import { MINUTE_MS } from '../domain/durations';
import { AppError, unavailableError } from '../domain/errors';
import type { Config } from './config';

/** A finished part of an upload. */
export interface UploadedPart {
  /** Part number, starting at 1. */
  number: number;
  /** ETag returned by the store. */
  etag: string;
}

/**
 * Evidence and PDFs are read and written as a whole; larger objects are uploaded in parts and read as streams. Every
 * method rejects with AppError 503 `unavailable` while the store does not respond or refuses the request.
 */
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
  /** Keys under a prefix, behind `after`, with the time of their last write, in ascending order. */
  list(prefix: string, after?: string): AsyncIterable<{ key: string; lastModified: Date }>;
  health(): Promise<void>;
}

/** S3 rejects smaller parts, except for the last one. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;

/** A store that sends or takes no byte for this long is treated as unavailable, so that no request waits for ever. */
const SILENCE_MS = 6000;

/** The same while a store joins the parts of an upload, during which it may send nothing. */
const JOINING_SILENCE_MS = MINUTE_MS;

/** The same for an object that is read as a stream, whose reader may be slow. */
const READER_SILENCE_MS = 5 * MINUTE_MS;

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

function limitSilence<T extends Duplex | null | undefined>(connection: T): T {
  if (connection instanceof Socket) {
    const describe = (): Error =>
      Object.assign(new Error(`No byte was transferred for ${connection.timeout ?? 0} ms.`), { code: 'ETIMEDOUT' });
    connection.on('timeout', () => connection.destroy(describe()));
  }
  return connection;
}

/** Connections that are closed once the store is silent, which the `timeout` of Node's own agents only reports. */
class TimeoutHttpAgent extends HttpAgent {
  override createConnection(...args: Parameters<HttpAgent['createConnection']>): Duplex | null | undefined {
    return limitSilence(super.createConnection(...args));
  }
}

class TimeoutHttpsAgent extends HttpsAgent {
  override createConnection(...args: Parameters<HttpsAgent['createConnection']>): Duplex | null | undefined {
    return limitSilence(super.createConnection(...args));
  }
}

/** A missing object is a result, not an error; every other failure comes from the store, its network or its settings. */
const toStoreError = (error: unknown): AppError =>
  error instanceof AppError ? error : unavailableError('The service cannot reach its object store; try again.', error);

/** Converts a failure of the store to AppError 503 `unavailable`. */
export const convertStoreError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toStoreError(error);
  });

/** Converts a failure of the store while its items are read to AppError 503 `unavailable`. */
export async function* convertItemError<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Converts the errors of a store that uses the S3 client. */
const reportOutages = (store: ObjectStore): ObjectStore => ({
  put: (...args) => convertStoreError(store.put(...args)),
  get: (key) => convertStoreError(store.get(key)),
  remove: (key) => convertStoreError(store.remove(key)),
  stream: (key) => convertStoreError(store.stream(key)),
  beginUpload: (...args) => convertStoreError(store.beginUpload(...args)),
  uploadPart: (...args) => convertStoreError(store.uploadPart(...args)),
  completeUpload: (...args) => convertStoreError(store.completeUpload(...args)),
  abortUpload: (...args) => convertStoreError(store.abortUpload(...args)),
  listUploads: (prefix) => convertItemError(store.listUploads(prefix)),
  ensureBucket: () => convertStoreError(store.ensureBucket()),
  list: (...args) => convertItemError(store.list(...args)),
  health: () => convertStoreError(store.health()),
});

/** Creates a bucket that does not exist yet. @param locked whether its objects can be locked (S3 Object Lock) */
export async function createBucketIfAbsent(
  client: Client,
  bucket: string,
  region: string,
  locked = false,
): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  try {
    await client.makeBucket(bucket, region, { ObjectLocking: locked });
  } catch (error) {
    // Another process may have created the bucket at the same time.
    if (!(await client.bucketExists(bucket))) throw error;
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

/** @param joining client for requests during which the store may send nothing for long */
export const createMultipartUploads = (client: Client, joining: Client, bucket: string): MultipartUploads => ({
  beginUpload: (key, contentType) => client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': contentType }),
  async uploadPart(key, uploadID, partNumber, body) {
    const target = { bucketName: bucket, objectName: key, uploadID, partNumber };
    const { etag } = await client.uploadPart({ ...target, headers: { 'Content-Length': body.length } }, body);
    return etag;
  },
  async completeUpload(key, uploadId, parts) {
    try {
      const completedParts = parts.map(({ number, etag }) => ({ part: number, etag }));
      await joining.completeMultipartUpload(bucket, key, uploadId, completedParts);
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
    // `listIncompleteUploads` also reads the parts of each upload, and fails if one of them has ended meanwhile.
    let [keyMarker, uploadIdMarker] = ['', ''];
    for (let isTruncated = true; isTruncated;) {
      const page = await client.listIncompleteUploadsQuery(bucket, prefix, keyMarker, uploadIdMarker, '');
      for (const { key, uploadId, initiated } of page.uploads) yield { key, uploadId, startedAt: new Date(initiated) };
      ({ isTruncated, nextKeyMarker: keyMarker } = page);
      // The client does not read the marker of the id, which is that of the last upload of the page.
      uploadIdMarker = page.uploads.at(-1)?.uploadId ?? '';
    }
  },
});

/** Address and credentials of an S3 server. */
export type S3Settings = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY'>;

/** A client for an S3 server. @param silenceMs after which it is treated as unavailable */
export function createS3Client(config: S3Settings, silenceMs = SILENCE_MS): Client {
  const endpoint = new URL(config.S3_ENDPOINT);
  const secure = endpoint.protocol === 'https:';
  const agentOptions: AgentOptions = { keepAlive: true, timeout: silenceMs };
  return new Client({
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (secure ? 443 : 80) : Number(endpoint.port),
    useSSL: secure,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    region: config.S3_REGION,
    pathStyle: true,
    partSize: PART_BYTES,
    transportAgent: secure ? new TimeoutHttpsAgent(agentOptions) : new TimeoutHttpAgent(agentOptions),
  });
}

/** The object store of the configuration. Its bucket is created by `ensureBucket`. */
export const createObjectStore = (config: Config): ObjectStore =>
  reportOutages(
    createS3Store(
      createS3Client(config),
      createS3Client(config, JOINING_SILENCE_MS),
      config.S3_BUCKET,
      config.S3_REGION,
    ),
  );

function createS3Store(client: Client, joining: Client, bucket: string, region: string): ObjectStore {
  return {
    async put(key, body, contentType) {
      await retryWrite(() => client.putObject(bucket, key, body, body.length, { 'Content-Type': contentType }));
    },
    async get(key) {
      const stream = await openObject(client, bucket, key);
      return stream === null ? null : buffer(stream);
    },
    async stream(key) {
      const stream = await openObject(client, bucket, key);
      // No byte is read while the reader, such as the client of a download, is slower than the store.
      if (stream instanceof IncomingMessage) stream.setTimeout(READER_SILENCE_MS);
      return stream;
    },
    async remove(key) {
      await client.removeObject(bucket, key);
    },
    ...createMultipartUploads(client, joining, bucket),
    ensureBucket: () => createBucketIfAbsent(client, bucket, region),
    async *list(prefix, after) {
      for await (const item of client.listObjectsV2(bucket, prefix, true, after)) {
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

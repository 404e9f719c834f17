import { Client, S3Error } from 'minio';
import type { Config } from './config';

/** Objects are whole buffers here: evidence and PDFs are read and written in one piece. */
export interface ObjectStore {
  /** Writes (or overwrites) an object. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Reads an object, or null when there is none under that key. */
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  ensureBucket(): Promise<void>;
  /** Keys under a prefix with the time they were last written. */
  list(prefix: string): AsyncIterable<{ key: string; lastModified: Date }>;
  health(): Promise<void>;
}

/** Unknown sizes would make the client buffer 528 MiB parts. */
const PART_BYTES = 8 * 1024 * 1024;

const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');

const MOST_WRITES = 4;

/** A server that keeps objects as files removes folders that fall empty, and refuses what is written there meanwhile. */
const isFolderRace = (error: unknown): boolean =>
  error instanceof S3Error && error.code === 'ExistingObjectIsDirectory';

async function untilWritten(write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isFolderRace(error) || attempt === MOST_WRITES) throw error;
    }
  }
}

export function createObjectStore(config: Config): ObjectStore {
  const endpoint = new URL(config.S3_ENDPOINT);
  const secure = endpoint.protocol === 'https:';
  const client = new Client({
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (secure ? 443 : 80) : Number(endpoint.port),
    useSSL: secure,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    region: config.S3_REGION,
    pathStyle: true,
    partSize: PART_BYTES,
  });
  const bucket = config.S3_BUCKET;

  return {
    async put(key, body, contentType) {
      await untilWritten(() => client.putObject(bucket, key, body, body.length, { 'Content-Type': contentType }));
    },
    async get(key) {
      try {
        const stream = await client.getObject(bucket, key);
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(key) {
      await client.removeObject(bucket, key);
    },
    async ensureBucket() {
      if (await client.bucketExists(bucket)) return;
      try {
        await client.makeBucket(bucket, config.S3_REGION);
      } catch (error) {
        // Two processes may start at once; whoever loses the race finds the bucket made.
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

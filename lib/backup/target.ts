import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'minio';
import { MINUTE_MS } from '../../domain/durations';
import { ConfigError } from '../config-error';
import { createBucketIfAbsent, createMultipartUploads, createS3Client } from '../object-store';
import type { S3Settings } from '../object-store';
import { uploadStream } from './upload';

/** Where backups are kept: files by name, each written once as a whole. */
export interface BackupTarget {
  /** Writes or replaces a file, which exists only once all of it was written. */
  write(name: string, source: AsyncIterable<Buffer>): Promise<void>;
  /** @throws Error if the file does not exist */
  read(name: string): AsyncIterable<Buffer>;
  /** Names below a prefix, in alphabetical order. */
  list(prefix: string): Promise<string[]>;
  /** Names of the folders below a prefix that ends with a slash, also of those in which no file was completed. */
  listFolders(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Removes every file below a prefix that ends with a slash, also those that were not completed. */
  removeFolder(prefix: string): Promise<void>;
}

/** Names of the folders directly below a prefix that files are in. */
const nameFolders = (names: readonly string[], prefix: string): string[] => [
  ...new Set(
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length).split('/'))
      .flatMap(([folder = '', ...rest]) => (rest.length === 0 ? [] : [folder])),
  ),
];

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

const PARTIAL = '.partial';

/** Writes a file, and leaves nothing of it if that fails: what is left would keep a full disk full. */
async function writeDraft(draft: string, source: AsyncIterable<Buffer>): Promise<void> {
  const output = createWriteStream(draft, { mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(source), output);
  } catch (error) {
    // A stream that fails while it opens the file creates it afterwards.
    if (!output.closed) await once(output, 'close');
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

function createFolderTarget(folder: string): BackupTarget {
  const locate = (name: string): string => path.join(folder, ...name.split('/'));
  const listNames = async (): Promise<string[]> =>
    (await listFiles(folder)).map((file) => file.split(path.sep).join('/'));
  return {
    async write(name, source) {
      const file = locate(name);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const draft = `${file}${PARTIAL}`;
      await writeDraft(draft, source);
      await rename(draft, file);
    },
    async *read(name) {
      for await (const chunk of createReadStream(locate(name))) yield chunk as Buffer;
    },
    async list(prefix) {
      return (await listNames()).filter((name) => name.startsWith(prefix) && !name.endsWith(PARTIAL)).sort();
    },
    listFolders: async (prefix) => nameFolders(await listNames(), prefix),
    remove: (name) => rm(locate(name), { force: true }),
    removeFolder: (prefix) => rm(locate(prefix), { recursive: true, force: true }),
  };
}

/** Nothing is transferred while the other side of a backup is slower: what is read or written belongs to another store. */
const SILENCE_MS = 5 * MINUTE_MS;

function createS3Target(client: Client, bucket: string, folder: string, region: string): BackupTarget {
  const locate = (name: string): string => `${folder}${name}`;
  const uploads = createMultipartUploads(client, client, bucket);
  const list = async (prefix: string): Promise<string[]> => {
    const names: string[] = [];
    if (!(await client.bucketExists(bucket))) return names;
    for await (const item of client.listObjectsV2(bucket, locate(prefix), true)) {
      const { name } = item as { name?: string };
      if (name !== undefined) names.push(name.slice(folder.length));
    }
    return names.sort();
  };
  // Without a version: in a bucket with Object Lock this hides an object, whose retention then removes it.
  const remove = (name: string): Promise<void> => client.removeObject(bucket, locate(name));
  return {
    async write(name, source) {
      await createBucketIfAbsent(client, bucket, region);
      await uploadStream(uploads, locate(name), source);
    },
    async *read(name) {
      for await (const chunk of await client.getObject(bucket, locate(name))) yield chunk as Buffer;
    },
    list,
    listFolders: async (prefix) => nameFolders(await list(prefix), prefix),
    remove,
    removeFolder: async (prefix) => {
      for (const name of await list(prefix)) await remove(name);
    },
  };
}

/** A mistyped address such as `s3:/bucket` would otherwise be a folder of this name. */
const isAddress = (location: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(location);

/**
 * Opens a target.
 * @param location a folder, or `s3://<bucket>/<prefix>` on the server of the settings
 * @param readSettings called for a target on S3 only
 * @throws ConfigError for another address
 */
export function openBackupTarget(location: string, readSettings: () => S3Settings): BackupTarget {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(location) ?? [];
  if (bucket === undefined) {
    if (isAddress(location)) throw new ConfigError('BACKUP_TARGET: accepts a folder or s3://<bucket>/<prefix>.');
    return createFolderTarget(path.resolve(location));
  }
  const folder = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  const settings = readSettings();
  return createS3Target(createS3Client(settings, SILENCE_MS), bucket, folder, settings.S3_REGION);
}

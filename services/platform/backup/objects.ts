import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { decodeDocument, encodeDocument, splitDocuments } from '../../../lib/backup/documents';
import type { BackupVault, FileDigest } from '../../../lib/backup/vault';
import type { ObjectStore, UploadedPart } from '../../../lib/object-store';

/** The methods of the store that a restoration uses. */
type RestoredStore = Pick<
  ObjectStore,
  'ensureBucket' | 'list' | 'put' | 'beginUpload' | 'uploadPart' | 'completeUpload' | 'abortUpload'
>;

/** Objects are divided into frames of this length, which fit into memory and are long enough to be parts of uploads. */
const FRAME_BYTES = 8 * 1024 * 1024;
/** Objects that are opened before they are written. */
const OPEN_OBJECTS = 8;
const CONTENT_TYPE = 'application/octet-stream';

const frameSchema = z.object({ key: z.string(), last: z.boolean(), data: z.instanceof(Buffer) });

type Frame = z.infer<typeof frameSchema>;

/** What a backup has of the object store. */
export const objectsSchema = z.object({ count: z.number().int(), bytes: z.number().int(), sha256: z.string() });

export type BackedUpObjects = z.infer<typeof objectsSchema>;

const buildFileName = (backupId: string): string => `backups/${backupId}/objects.veb`;

async function* divide(key: string, body: Readable): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    pending.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    while (length > FRAME_BYTES) {
      const all = Buffer.concat(pending);
      yield encodeDocument({ key, last: false, data: all.subarray(0, FRAME_BYTES) });
      pending = [all.subarray(FRAME_BYTES)];
      length -= FRAME_BYTES;
    }
  }
  yield encodeDocument({ key, last: true, data: Buffer.concat(pending) });
}

/** The methods of the store that a backup uses. */
type BackedUpStore = Pick<ObjectStore, 'list' | 'stream'>;

interface OpenedObject {
  key: string;
  body: Readable | null;
}

/** Opens the next objects while one is read; null for an object that was removed since it was listed. */
async function* openObjects(objects: BackedUpStore): AsyncGenerator<OpenedObject> {
  const opened: Promise<OpenedObject>[] = [];
  for await (const { key } of objects.list('')) {
    const opening = objects.stream(key).then((body) => {
      // It may fail before it is read, which then reports the error.
      body?.on('error', () => undefined);
      return { key, body };
    });
    opening.catch(() => undefined);
    opened.push(opening);
    const [first] = opened;
    if (opened.length < OPEN_OBJECTS || first === undefined) continue;
    yield await first;
    void opened.shift();
  }
  for (const opening of opened) yield await opening;
}

/**
 * The frames of an object. Its connection is closed if the objects before it took long, as it was silent meanwhile; it is
 * then opened again.
 * @returns whether the object exists
 */
async function* readObject(objects: BackedUpStore, { key, body }: OpenedObject): AsyncGenerator<Buffer, boolean> {
  if (body === null) return false;
  let isBegun = false;
  try {
    for await (const frame of divide(key, body)) {
      isBegun = true;
      yield frame;
    }
    return true;
  } catch (error) {
    if (isBegun) throw error;
  }
  const again = await objects.stream(key);
  if (again === null) return false;
  yield* divide(key, again);
  return true;
}

/** Writes every object. They are immutable, and written before the records that name them: copied later, none is missing. */
export async function backUpObjects(
  { objects }: { objects: BackedUpStore },
  vault: Pick<BackupVault, 'write'>,
  backupId: string,
): Promise<BackedUpObjects> {
  let count = 0;
  const frames = async function* (): AsyncGenerator<Buffer> {
    for await (const opened of openObjects(objects)) if (yield* readObject(objects, opened)) count += 1;
  };
  const digest: FileDigest = await vault.write(buildFileName(backupId), frames());
  return { count, ...digest };
}

async function* readFrames(
  vault: Pick<BackupVault, 'read'>,
  backupId: string,
): AsyncGenerator<{ frame: Frame; raw: Buffer }> {
  for await (const raw of splitDocuments(vault.read(buildFileName(backupId))))
    yield { frame: frameSchema.parse(decodeDocument(raw)), raw };
}

/** @throws Error if a backup does not have the objects that were written */
export async function verifyObjects(
  vault: BackupVault,
  backupId: string,
  { count, sha256 }: BackedUpObjects,
): Promise<void> {
  const hash = createHash('sha256');
  let found = 0;
  for await (const { frame, raw } of readFrames(vault, backupId)) {
    hash.update(raw);
    if (frame.last) found += 1;
  }
  if (found !== count || hash.digest('hex') !== sha256)
    throw new Error('The backup does not have the objects that were written.');
}

/** Writes the frames of an object that needs several. */
class PartUpload {
  private readonly parts: UploadedPart[] = [];

  private constructor(
    private readonly objects: RestoredStore,
    private readonly key: string,
    private readonly uploadId: string,
  ) {}

  static async begin(objects: RestoredStore, key: string): Promise<PartUpload> {
    return new PartUpload(objects, key, await objects.beginUpload(key, CONTENT_TYPE));
  }

  async add(data: Buffer): Promise<void> {
    const number = this.parts.length + 1;
    this.parts.push({ number, etag: await this.objects.uploadPart(this.key, this.uploadId, number, data) });
  }

  complete(): Promise<void> {
    return this.objects.completeUpload(this.key, this.uploadId, this.parts);
  }

  /** Removes the parts: nothing would show them, but they would be paid for. Never rejects. */
  abort(): Promise<void> {
    return this.objects.abortUpload(this.key, this.uploadId).catch(() => undefined);
  }
}

/** Determines whether keys exist in a store, asked in alphabetical order, as it lists them. */
async function createExistenceCheck(objects: Pick<ObjectStore, 'list'>): Promise<(key: string) => Promise<boolean>> {
  const existing = objects.list('')[Symbol.asyncIterator]();
  let current = await existing.next();
  return async (key) => {
    while (current.done !== true && current.value.key < key) current = await existing.next();
    return current.done !== true && current.value.key === key;
  };
}

/**
 * Writes the objects that the store does not have. Those that it has are the same: a key is never used for other content.
 * @returns the number of objects written
 */
export async function restoreObjects(
  { objects }: { objects: RestoredStore },
  vault: Pick<BackupVault, 'read'>,
  backupId: string,
): Promise<number> {
  await objects.ensureBucket();
  const exists = await createExistenceCheck(objects);
  let written = 0;
  let upload: PartUpload | null = null;
  let skipped: string | null = null;
  try {
    for await (const { frame } of readFrames(vault, backupId)) {
      const { key, last, data } = frame;
      if (upload === null && skipped !== key) skipped = (await exists(key)) ? key : null;
      if (skipped === key) continue;
      if (last && upload === null) {
        await objects.put(key, data, CONTENT_TYPE);
      } else {
        upload ??= await PartUpload.begin(objects, key);
        await upload.add(data);
        if (!last) continue;
        await upload.complete();
        upload = null;
      }
      written += 1;
    }
  } catch (error) {
    await upload?.abort();
    throw error;
  }
  return written;
}

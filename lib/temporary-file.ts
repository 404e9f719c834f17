import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';

const CHUNK_BYTES = 64 * 1024;

/** A temporary file that is written once and can be read several times. */
export interface TemporaryFile {
  /** Appends to the file. The end or failure of this stream does not close the file. */
  createWriteStream(): Writable;
  /** Reads the file from the beginning. The end of this stream does not close the file. */
  createReadStream(): Readable;
}

async function* readChunks(file: FileHandle): AsyncIterable<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Streams of a file handle always close the handle; these do not. */
const toTemporaryFile = (file: FileHandle): TemporaryFile => ({
  createWriteStream: () =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        file.appendFile(chunk).then(() => done(), done);
      },
    }),
  createReadStream: () => Readable.from(readChunks(file), { objectMode: false }),
});

/**
 * Opens a file that other processes cannot open. Its name is removed at once, so that the system frees it when it is
 * closed, even if the process is killed.
 */
export async function openUnnamedFile(directory: string, prefix: string): Promise<FileHandle> {
  const name = path.join(directory, `${prefix}${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await rm(name, { force: true });
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Runs `work` with a temporary file that is freed afterwards. */
export async function withTemporaryFile<T>(work: (file: TemporaryFile) => Promise<T>): Promise<T> {
  const file = await openUnnamedFile(tmpdir(), 'vouch-');
  try {
    return await work(toTemporaryFile(file));
  } finally {
    await file.close();
  }
}

import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';

const CHUNK_BYTES = 64 * 1024;

/** A file for a while, to be written once and read as often as needed. */
export interface TemporaryFile {
  /** Appends what it is given; however it ends, the file stays open. */
  createWriteStream(): Writable;
  /** All of it from its beginning; a reader that stops early closes nothing but itself. */
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

/** The streams of a file handle close it with themselves, whatever they are told; these do not. */
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
 * Lends a file that nobody else can open and that is gone afterwards, however the process ends: its name is taken off at
 * once, and the system frees what has no name when it is closed.
 */
export async function withTemporaryFile<T>(work: (file: TemporaryFile) => Promise<T>): Promise<T> {
  const name = path.join(tmpdir(), `vouch-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
    return await work(toTemporaryFile(file));
  } finally {
    await file.close();
  }
}

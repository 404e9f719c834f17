import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Cipher } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openUnnamedFile } from './temporary-file';

const PREFIX = 'vouch-upload-';
const NAME = /^vouch-upload-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ALGORITHM = 'aes-256-ctr';
const READ_BYTES = 1024 * 1024;

/**
 * A file for bytes that would need too much memory, written once and read once. Its content is encrypted with a key that
 * exists only in the memory of this object: nothing readable remains on the disk.
 */
export class SpoolFile {
  private readonly key = randomBytes(32);
  private readonly iv = randomBytes(16);
  private readonly cipher: Cipher = createCipheriv(ALGORITHM, this.key, this.iv);

  private constructor(private readonly file: FileHandle) {}

  /** Creates a file without a name in the directory: it disappears with the process. */
  static async create(directory: string): Promise<SpoolFile> {
    return new SpoolFile(await openUnnamedFile(directory, PREFIX));
  }

  /** Encrypts and writes the next part; one call at a time, because the cipher runs on from part to part. */
  async append(chunk: Buffer): Promise<void> {
    await this.file.appendFile(this.cipher.update(chunk));
  }

  /** Fills `target` from the beginning of the file. */
  async readInto(target: Buffer): Promise<void> {
    const decipher = createDecipheriv(ALGORITHM, this.key, this.iv);
    const chunk = Buffer.alloc(Math.min(READ_BYTES, target.length));
    for (let position = 0; position < target.length;) {
      const { bytesRead } = await this.file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) throw new Error('A temporary file is shorter than what was written to it.');
      decipher.update(chunk.subarray(0, bytesRead)).copy(target, position);
      position += bytesRead;
    }
  }

  /** Removes the file, which has no name. */
  close(): Promise<void> {
    return this.file.close();
  }
}

/**
 * Creates the directory of spool files if it does not exist, and removes files that a process left which was killed
 * between creating a file and removing its name, as far as this user may.
 */
export async function prepareSpoolDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = (await readdir(directory)).filter((name) => NAME.test(name));
  // In a shared directory, entries of other users cannot be removed.
  await Promise.allSettled(names.map((name) => rm(path.join(directory, name), { force: true })));
}

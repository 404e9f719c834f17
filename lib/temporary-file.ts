import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Lends a file that nobody else can open and that is gone afterwards, however the process ends: its name is taken off at
 * once, and the system frees what has no name when it is closed.
 */
export async function withTemporaryFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
  const name = path.join(tmpdir(), `vouch-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
    return await work(file);
  } finally {
    await file.close();
  }
}

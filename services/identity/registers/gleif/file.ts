import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidFieldError } from '../../../../domain/errors';
import { openZipEntry } from '../../../../lib/zip';
import type { GoldenCopyFile } from './import';

/** Signature of a local file header in a ZIP archive. */
const ZIP_SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1');

const isCsv = (name: string): boolean => /\.csv$/i.test(name);

async function isZip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const start = Buffer.alloc(ZIP_SIGNATURE.length);
    await handle.read(start, 0, start.length, 0);
    return start.equals(ZIP_SIGNATURE);
  } finally {
    await handle.close();
  }
}

async function openZippedCsv(file: string): Promise<{ name: string; stream: Readable }> {
  const found = await openZipEntry(file, isCsv);
  if (found === null) throw invalidFieldError('file', `${path.basename(file)} contains no CSV file`);
  return found;
}

/**
 * Opens a file of the golden copy, either CSV or the ZIP archive that GLEIF offers, which is read without unpacking it.
 * @throws AppError 400 if the file does not exist or contains no CSV
 */
export async function openGoldenCopyFile(file: string): Promise<GoldenCopyFile> {
  const stats = await stat(file).catch(() => null);
  if (stats?.isFile() !== true) throw invalidFieldError('file', `${file} is not a file`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const zipped = await isZip(file);
  let name = path.basename(file);
  if (zipped) {
    const { name: inside, stream } = await openZippedCsv(file);
    stream.destroy();
    name = path.posix.basename(inside);
  }
  return {
    name,
    sha256: hash.digest('hex'),
    bytes: stats.size,
    open: async () => (zipped ? (await openZippedCsv(file)).stream : createReadStream(file)),
  };
}

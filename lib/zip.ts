import type { Readable } from 'node:stream';
import { openPromise } from 'yauzl';

/** One file inside an archive, and the stream of its bytes, unpacked. */
export interface ZipEntryStream {
  name: string;
  stream: Readable;
}

/**
 * Opens the first file of a ZIP archive that `wanted` names, however large (ZIP64). Nothing is unpacked to disk or held
 * in memory; the archive is closed when the stream ends or is destroyed.
 * @returns null where the archive holds no such file
 * @throws Error where the file is no ZIP archive
 */
export async function openZipEntry(path: string, matches: (name: string) => boolean): Promise<ZipEntryStream | null> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false });
  for await (const entry of archive.eachEntry()) {
    if (!matches(entry.fileName)) continue;
    const stream = await archive.openReadStreamPromise(entry);
    stream.once('close', () => archive.close());
    return { name: entry.fileName, stream };
  }
  archive.close();
  return null;
}

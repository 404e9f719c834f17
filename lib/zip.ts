import type { Readable } from 'node:stream';
import { openPromise } from 'yauzl';

/** A file in an archive, and the stream of its uncompressed bytes. */
export interface ZipEntryStream {
  name: string;
  stream: Readable;
}

/**
 * Opens the first file of a ZIP archive whose name `matches` accepts, of any size (ZIP64). The file is streamed without
 * unpacking it to disk or memory. The archive is closed when the stream ends or is destroyed.
 * @returns null if the archive contains no such file
 * @throws Error if the file is not a ZIP archive
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

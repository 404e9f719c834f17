import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

const MANIFEST = 'manifest.json';

interface Manifest {
  documents: number;
  files: { name: string; sha256: string }[];
}

const hashSha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The files of an archive by its central directory: the hash of each, and the text of its manifest. */
async function readArchiveFiles(archive: Buffer): Promise<{ hashes: Map<string, string>; manifest: string }> {
  const zip = await yauzl.fromBufferPromise(archive, { strictFileNames: true });
  const hashes = new Map<string, string>();
  let manifest = '';
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    if (entry.fileName === MANIFEST) manifest = bytes.toString('utf8');
    else hashes.set(entry.fileName, hashSha256(bytes));
  }
  return { hashes, manifest };
}

/**
 * Reads an archive of documents by its central directory and verifies each file against the manifest.
 *
 * @returns number of documents
 * @throws Error if a file is missing, listed twice or does not match its hash
 */
export async function verifyArchive(archive: Buffer): Promise<number> {
  const { hashes, manifest } = await readArchiveFiles(archive);
  const { documents, files } = JSON.parse(manifest) as Manifest;
  for (const { name, sha256: hash } of files)
    if (hashes.get(name) !== hash) throw new Error(`${name} is missing or does not match its hash in the manifest.`);
  if (new Set(files.map(({ name }) => name)).size !== hashes.size || documents !== hashes.size)
    throw new Error('The manifest and the central directory do not list the same files.');
  return hashes.size;
}

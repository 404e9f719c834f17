import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

const MANIFEST = 'manifest.json';

interface Manifest {
  documents: number;
  files: { name: string; sha256: string }[];
}

const hashSha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The files of an archive by its directory: the hash of each, and the text of its table of contents. */
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
 * Reads an archive of printed documents by its directory and compares each file with the table of contents.
 * @returns how many documents there are
 * @throws Error when a file is missing, is named twice or is another than its hash says
 */
export async function verifyArchive(archive: Buffer): Promise<number> {
  const { hashes, manifest } = await readArchiveFiles(archive);
  const { documents, files } = JSON.parse(manifest) as Manifest;
  for (const { name, sha256: hash } of files)
    if (hashes.get(name) !== hash) throw new Error(`${name} is missing or another than the table of contents says.`);
  if (new Set(files.map(({ name }) => name)).size !== hashes.size || documents !== hashes.size)
    throw new Error('The table of contents and the directory do not name the same files.');
  return hashes.size;
}

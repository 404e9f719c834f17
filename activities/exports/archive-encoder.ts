import { crc32 } from 'node:zlib';
import { ZERO } from '../../domain/business/decimal';
import type { Decimal } from '../../domain/business/decimal';
import type { ArchivedFile } from '../../models/business/exports/export';
import type { PrintedFile } from '../../services/business/exports/archive';
import type { EncodedPart, PartEncoder } from './part-encoder';
import { encodeDirectory, encodeLocalHeader, STORED } from './zip-records';
import type { ZipEntry } from './zip-records';

export const MANIFEST = 'manifest.json';

/** Metadata at the top of a table of contents. */
export interface ArchiveMetadata {
  exportId: number;
  resource: string;
  filters: object;
  createdAt: Date;
  /** Drafts have no PDF. */
  draftsLeftOut: number;
  /** The place of this file, if the archive has several. */
  file?: { number: number; count: number };
}

/**
 * The file name of a document is its number. Some file systems ignore case, so a number with lower-case letters gets
 * the id of the document as a suffix.
 */
export function toArchiveFileName(number: string, id: number): string {
  const safe = number.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^\.+/, '_');
  return safe === number && safe === safe.toUpperCase() ? `${safe}.pdf` : `${safe}-${id}.pdf`;
}

const toZipEntry = ({ name, crc32: crc, sizeBytes, offset }: ArchivedFile): ZipEntry => ({
  name,
  method: STORED,
  crc32: crc,
  storedBytes: sizeBytes,
  sizeBytes,
  offset,
});

function sumTotals(files: readonly ArchivedFile[]): object {
  const sums = new Map<string, { documents: number; total: Decimal; taxTotal: Decimal; grandTotal: Decimal }>();
  for (const { currencyCode, total, taxTotal, grandTotal } of files) {
    const sum = sums.get(currencyCode) ?? { documents: 0, total: ZERO, taxTotal: ZERO, grandTotal: ZERO };
    sums.set(currencyCode, {
      documents: sum.documents + 1,
      total: sum.total.plus(total),
      taxTotal: sum.taxTotal.plus(taxTotal),
      grandTotal: sum.grandTotal.plus(grandTotal),
    });
  }
  return Object.fromEntries(
    [...sums].map(([currency, { documents, total, taxTotal, grandTotal }]) => [
      currency,
      { documents, total: total.toNumber(), taxTotal: taxTotal.toNumber(), grandTotal: grandTotal.toNumber() },
    ]),
  );
}

/** The table of contents: counts, totals per currency, including void documents, and the hash of each file. */
export const buildManifest = (metadata: ArchiveMetadata, files: readonly ArchivedFile[]): Buffer =>
  Buffer.from(
    `${JSON.stringify(
      {
        ...metadata,
        documents: files.length,
        totals: sumTotals(files),
        files: files.map(({ crc32: _, offset: __, total, taxTotal, grandTotal, ...file }) => ({
          ...file,
          total: Number(total),
          taxTotal: Number(taxTotal),
          grandTotal: Number(grandTotal),
        })),
      },
      null,
      1,
    )}\n`,
  );

const readOffset = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'offset' in state ? Number(state.offset) : 0;

/**
 * Writes printed documents to a ZIP archive without compression, followed by the table of contents and the directory.
 */
export class ArchiveEncoder implements PartEncoder<PrintedFile> {
  private readonly chunks: Buffer[] = [];
  private readonly files: ArchivedFile[] = [];
  private readonly start: number;
  private bytes = 0;

  /** @param readPreviousFiles reads the files of earlier parts, at the end of the archive. */
  constructor(
    state: unknown,
    private readonly metadata: ArchiveMetadata,
    private readonly readPreviousFiles: () => Promise<ArchivedFile[]>,
  ) {
    this.start = readOffset(state);
  }

  /** Bytes of this part, which are exact because nothing is compressed. */
  get size(): number {
    return this.bytes;
  }

  /** Stores each document under its number; one whose number is no unambiguous file name gets its id as well. */
  add(items: readonly PrintedFile[]): Promise<void> {
    for (const { facts, bytes, sha256 } of items) {
      const name = toArchiveFileName(facts.number, facts.documentId);
      const { offset, crc } = this.store(name, bytes);
      this.files.push({ ...facts, name, crc32: crc, sizeBytes: bytes.length, offset, sha256 });
    }
    return Promise.resolve();
  }

  /** The last part closes the archive: the table of contents and the directory cover the files of all parts. */
  async end(last: boolean): Promise<EncodedPart> {
    if (last) {
      const files = [...(await this.readPreviousFiles()), ...this.files];
      const manifest = buildManifest(this.metadata, files);
      const { offset, crc } = this.store(MANIFEST, manifest);
      const sizeBytes = manifest.length;
      const contents = {
        name: MANIFEST,
        method: STORED,
        crc32: crc,
        storedBytes: sizeBytes,
        sizeBytes,
        offset,
      } as const;
      this.push(
        encodeDirectory([...files.map(toZipEntry), contents], this.start + this.bytes, this.metadata.createdAt),
      );
    }
    return { body: Buffer.concat(this.chunks), writer: { offset: this.start + this.bytes }, files: this.files };
  }

  private store(name: string, body: Buffer): { offset: number; crc: number } {
    const [crc, sizeBytes] = [crc32(body), body.length];
    const offset = this.start + this.bytes;
    const entry = { name, method: STORED, crc32: crc, storedBytes: sizeBytes, sizeBytes } as const;
    this.push(encodeLocalHeader(entry, this.metadata.createdAt));
    this.push(body);
    return { offset, crc };
  }

  private push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }
}

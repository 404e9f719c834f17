import type { ArchivedFile } from '../../models/business/exports/export';

/** The bytes of a part, and what the next part needs to know to go on. */
export interface EncodedPart {
  body: Buffer;
  /** Plain data, kept in MongoDB. */
  writer: unknown;
  /** Of an archive: the files whose bytes end in this part. */
  files: ArchivedFile[];
}

/**
 * Writes one part of a file. Parts are whole units of their format, so that an encoder made from what the last part
 * left goes on in another process as if nothing had happened.
 */
export interface PartEncoder<T> {
  add(items: readonly T[]): Promise<void>;
  /** Bytes there are so far, or nearly. */
  readonly size: number;
  /** Ends the part, and with the last one the file. */
  end(last: boolean): Promise<EncodedPart>;
}

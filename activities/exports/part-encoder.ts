import type { ArchivedFile } from '../../models/business/exports/export';

/** The bytes of a part and the state from which the next part continues. */
export interface EncodedPart {
  body: Buffer;
  /** Plain data, stored in MongoDB. */
  writer: unknown;
  /** Files of an archive whose bytes end in this part. */
  files: ArchivedFile[];
}

/**
 * Writes one part of a file. Parts are complete units of their format, so that another process can continue from the
 * state after the last part.
 */
export interface PartEncoder<T> {
  /** Writes items after those of earlier calls and parts; resolves when it can take more. */
  add(items: readonly T[]): Promise<void>;
  /** Approximate number of bytes so far. */
  readonly size: number;
  /** Ends the part, and the file if it is the last part. */
  end(last: boolean): Promise<EncodedPart>;
}

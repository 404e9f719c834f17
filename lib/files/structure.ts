/** What the structure of an image says, without decoding its pixels. */
export interface ImageStructure {
  /** Whether the image has more than one frame. */
  animated: boolean;
  /** Offset after the last byte that belongs to the format, including trailers that cameras are known to write. */
  end: number;
}

/** The bytes from `start` to before `end` as text, one character each. */
export const readAscii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/** Offset of the first byte from `offset` that is not zero; cameras fill files with zero bytes. */
export function skipZeros(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at < bytes.length && bytes[at] === 0) at += 1;
  return at;
}

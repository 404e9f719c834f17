import { readAscii } from './structure';

/** A box of a file in the container of ISO/IEC 14496-12, 4.2. */
export interface IsoBox {
  type: string;
  start: number;
  /** Offset after the box; beyond the file if the box is cut off. */
  end: number;
}

/** Reads the header of the box at an offset; null if no header of a box is there. */
export function readBox(bytes: Buffer, at: number): IsoBox | null {
  if (at + 8 > bytes.length) return null;
  const type = readAscii(bytes, at + 4, at + 8);
  if (!/^[\x20-\x7e]{4}$/.test(type)) return null;
  let size = bytes.readUInt32BE(at);
  // 0: until the end of the file; 1: a 64-bit size follows the type.
  if (size === 0) size = bytes.length - at;
  if (size === 1 && at + 16 <= bytes.length) size = Number(bytes.readBigUInt64BE(at + 8));
  return size < 8 ? null : { type, start: at, end: at + size };
}

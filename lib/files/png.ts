import { readAscii } from './structure';
import type { ImageStructure } from './structure';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Whether bytes begin with the signature of PNG. */
export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE);

/** Reads the chunks of a PNG (ISO/IEC 15948, clause 5) up to IEND; null if it or the image data is missing. */
export function readPngStructure(bytes: Buffer): ImageStructure | null {
  let at = SIGNATURE.length;
  let hasData = false;
  let animated = false;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = readAscii(bytes, at + 4, at + 8);
    at += 12 + length;
    if (at > bytes.length) return null;
    if (type === 'IEND') return hasData ? { animated, end: at } : null;
    hasData ||= type === 'IDAT' && length > 0;
    animated ||= type === 'acTL' || type === 'fdAT';
  }
  return null;
}

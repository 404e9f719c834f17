import { readAscii } from './structure';
import type { ImageStructure } from './structure';

/** Flag of the VP8X chunk that announces an animation (RFC 9649, 2.7). */
const ANIMATION_FLAG = 0x02;

/** Whether bytes begin like a WebP: a RIFF container of this type. */
export const isWebp = (bytes: Buffer): boolean =>
  bytes.length >= 12 && readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 12) === 'WEBP';

/**
 * Compares the lengths declared by the RIFF header and the chunks of a WebP with the actual length (RFC 9649); null if
 * a part is missing.
 */
export function readWebpStructure(bytes: Buffer): ImageStructure | null {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  let at = 12;
  let hasData = false;
  let animated = false;
  while (at + 8 <= end) {
    const type = readAscii(bytes, at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    animated ||= type === 'ANIM' || type === 'ANMF';
    animated ||= type === 'VP8X' && ((bytes[at + 8] ?? 0) & ANIMATION_FLAG) !== 0;
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
    if (at > end + 1) return null;
    hasData ||= length > 0 && ['VP8 ', 'VP8L', 'ANMF'].includes(type);
  }
  return hasData ? { animated, end: Math.max(at, end) } : null;
}

/** Formats of photographs that phones send, as HEVC in the container of ISO/IEC 23008-12. */
export type HeicType = 'image/heic' | 'image/heif';

const HEVC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const GENERAL_BRANDS = new Set(['mif1', 'msf1']);
/** Longest list of brands that is read. */
const MAX_BRAND_BYTES = 256;

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);

/** Detects HEIC by the brands at the beginning of the file; null for anything else, also for AVIF in the same container. */
export function sniffHeicType(bytes: Uint8Array): HeicType | null {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return null;
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, MAX_BRAND_BYTES);
  const major = ascii(bytes, 8, 12);
  if (HEVC_BRANDS.has(major)) return 'image/heic';
  if (!GENERAL_BRANDS.has(major)) return null;
  for (let at = 16; at + 4 <= end; at += 4) if (HEVC_BRANDS.has(ascii(bytes, at, at + 4))) return 'image/heif';
  return null;
}

/** Checks that the boxes of the file (ISO/IEC 14496-12, 4.2) end where it ends, and that it has metadata. */
export function isCompleteHeic(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hasMetadata = false;
  while (at + 8 <= bytes.length) {
    const type = ascii(bytes, at + 4, at + 8);
    let size = view.getUint32(at);
    // 0: until the end of the file; 1: a 64-bit size follows the type.
    if (size === 0) size = bytes.length - at;
    if (size === 1 && at + 16 <= bytes.length) size = Number(view.getBigUint64(at + 8));
    if (size < 8 || at + size > bytes.length) return false;
    hasMetadata ||= type === 'meta';
    at += size;
  }
  return hasMetadata && at === bytes.length;
}

import { readBox } from './iso-boxes';
import { readAscii } from './structure';
import type { ImageStructure } from './structure';

/** Formats of photographs that phones send, as HEVC in the container of ISO/IEC 23008-12. */
export type HeicType = 'image/heic' | 'image/heif';

const IMAGE_BRANDS = new Set(['heic', 'heix', 'heim', 'heis']);
const SEQUENCE_BRANDS = new Set(['hevc', 'hevx', 'hevm', 'hevs']);
const GENERAL_BRANDS = new Set(['mif1', 'msf1']);
/** Longest list of brands that is read. */
const MAX_BRAND_BYTES = 256;

/**
 * Boxes of a photograph: those of the standard, the data of a motion photo (`mpvd`), and Samsung's notes (`sefd`). No
 * decoder reads the last two.
 */
const KNOWN_BOXES = new Set(['ftyp', 'meta', 'mdat', 'idat', 'free', 'skip', 'uuid', 'mpvd', 'sefd', 'moov', 'moof']);
/** Boxes of a sequence of images. */
const SEQUENCE_BOXES = new Set(['moov', 'moof']);

const isHevcBrand = (brand: string): boolean => IMAGE_BRANDS.has(brand) || SEQUENCE_BRANDS.has(brand);

/** Detects HEIC by the brands at the beginning of the file; null for anything else, also for AVIF in the same container. */
export function sniffHeicType(bytes: Buffer): HeicType | null {
  if (bytes.length < 16 || readAscii(bytes, 4, 8) !== 'ftyp') return null;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, MAX_BRAND_BYTES);
  const major = readAscii(bytes, 8, 12);
  if (isHevcBrand(major)) return 'image/heic';
  if (!GENERAL_BRANDS.has(major)) return null;
  for (let at = 16; at + 4 <= end; at += 4) if (isHevcBrand(readAscii(bytes, at, at + 4))) return 'image/heif';
  return null;
}

/** Reads the boxes of a photograph; null if its end or its metadata is missing. */
export function readHeicStructure(bytes: Buffer): ImageStructure | null {
  let animated = SEQUENCE_BRANDS.has(readAscii(bytes, 8, 12));
  let hasMetadata = false;
  let at = 0;
  while (at < bytes.length) {
    const box = readBox(bytes, at);
    if (box === null || !KNOWN_BOXES.has(box.type)) break;
    if (box.end > bytes.length) return null;
    animated ||= SEQUENCE_BOXES.has(box.type);
    hasMetadata ||= box.type === 'meta';
    at = box.end;
  }
  // A rest that is too short for a box is a box that was cut off.
  return hasMetadata && (at === bytes.length || at + 8 <= bytes.length) ? { animated, end: at } : null;
}

import { imageSize } from 'image-size';

/** Image formats that uploads may have, detected from their content. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/** Detects the format from the first bytes; null for anything else. File names and declared types are ignored. */
export function sniffImageType(bytes: Buffer): ImageType | null {
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.length >= 8 && bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes.length >= 12 && ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height in pixels as declared by the header; null if the header declares none. */
export function readImageSize(bytes: Buffer): ImageSize | null {
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
}

const JPEG = { escaped: 0x00, restart: [0xd0, 0xd7], endOfImage: 0xd9, startOfScan: 0xda, fill: 0xff } as const;

/** Offset of the marker that ends the entropy-coded data starting at `offset`, or -1 if there is no such marker. */
function findScanEnd(bytes: Buffer, offset: number): number {
  for (let at = bytes.indexOf(0xff, offset); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1];
    if (code === undefined) return -1;
    const isScanData =
      code === JPEG.escaped || code === JPEG.fill || (code >= JPEG.restart[0] && code <= JPEG.restart[1]);
    if (!isScanData) return at;
  }
  return -1;
}

/** Checks the segments and scans of a JPEG (ITU-T T.81, annex B) up to its end-of-image marker. */
function isCompleteJpeg(bytes: Buffer): boolean {
  let at = 2;
  let scans = 0;
  while (at >= 0 && at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return false;
    const code = bytes[at + 1];
    if (code === JPEG.fill) {
      at += 1;
      continue;
    }
    if (code === JPEG.endOfImage) return scans > 0;
    if (at + 4 > bytes.length) return false;
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (next > bytes.length || next < at + 4) return false;
    if (code === JPEG.startOfScan) scans += 1;
    at = code === JPEG.startOfScan ? findScanEnd(bytes, next) : next;
  }
  return false;
}

/** Checks the chunks of a PNG (ISO/IEC 15948, clause 5) up to IEND; image data must come before it. */
function isCompletePng(bytes: Buffer): boolean {
  let at = 8;
  let hasData = false;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = ascii(bytes, at + 4, at + 8);
    at += 12 + length;
    if (at > bytes.length) return false;
    if (type === 'IEND') return hasData;
    hasData ||= type === 'IDAT' && length > 0;
  }
  return false;
}

/** Compares the lengths declared by the RIFF header and the chunks of a WebP with the actual length (RFC 9649). */
function isCompleteWebp(bytes: Buffer): boolean {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return false;
  let at = 12;
  let hasData = false;
  while (at + 8 <= end) {
    const type = ascii(bytes, at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
    if (at > end + 1) return false;
    hasData ||= length > 0 && ['VP8 ', 'VP8L', 'ANMF'].includes(type);
  }
  return hasData;
}

/** False for an image whose end is missing; the pixel data is not checked. */
export function isCompleteImage(type: ImageType, bytes: Buffer): boolean {
  switch (type) {
    case 'image/jpeg':
      return isCompleteJpeg(bytes);
    case 'image/png':
      return isCompletePng(bytes);
    case 'image/webp':
      return isCompleteWebp(bytes);
  }
}

import { readBox } from './iso-boxes';
import { isJpeg, readJpegImage } from './jpeg-image';
import type { JpegImage } from './jpeg-image';
import { readAscii, skipZeros } from './structure';
import type { ImageStructure } from './structure';

// What phones write behind the end-of-image marker. Only data whose own structure accounts for every byte is accepted,
// and no decoder reads it: the picture is the first image of the file.

/** Header of the directory, bytes of an entry, and bytes behind the directory, of Samsung's trailer. */
const SAMSUNG = { header: 12, entry: 12, footer: 8 } as const;

/**
 * Start of the trailer that Samsung phones write (`SEFH` … `SEFT`: blocks of data, then a directory that lists them
 * without gaps); null if the file has none.
 */
function findSamsungTrailer(bytes: Buffer): number | null {
  const footer = bytes.length - SAMSUNG.footer;
  if (footer < 0 || readAscii(bytes, footer + 4, footer + 8) !== 'SEFT') return null;
  const directory = footer - bytes.readUInt32LE(footer);
  if (directory < 0 || directory + SAMSUNG.header > footer || readAscii(bytes, directory, directory + 4) !== 'SEFH') {
    return null;
  }
  const count = bytes.readUInt32LE(directory + 8);
  if (directory + SAMSUNG.header + count * SAMSUNG.entry !== footer) return null;
  const blocks = Array.from({ length: count }, (_, index) => {
    const entry = directory + SAMSUNG.header + index * SAMSUNG.entry;
    const start = directory - bytes.readUInt32LE(entry + 4);
    return { start, end: start + bytes.readUInt32LE(entry + 8) };
  }).sort((a, b) => a.start - b.start);
  const ends = [...blocks.slice(1).map(({ start }) => start), directory];
  if (blocks.some(({ start, end }, index) => start < 0 || end !== ends[index])) return null;
  return blocks[0]?.start ?? directory;
}

/** Whether nothing but zero bytes is between two offsets. A structure may itself begin with zero bytes. */
const isPadding = (bytes: Buffer, from: number, to: number): boolean => from <= to && skipZeros(bytes, from) >= to;

/** End of the video of a motion photo at an offset: the boxes of an MP4 file until `limit`; the offset if there is none. */
function findVideoEnd(bytes: Buffer, offset: number, limit: number): number {
  const start = bytes.indexOf('ftyp', offset) - 4;
  if (!isPadding(bytes, offset, start)) return offset;
  let at = start;
  while (at < limit) {
    const box = readBox(bytes, at);
    if (box === null || box.end > limit) return offset;
    at = box.end;
  }
  return at;
}

/** Offset after everything behind an image that is known; less than the length of the file if anything else follows. */
function findTrailerEnd(bytes: Buffer, { end, hasFurtherImages, hasVideo }: JpegImage): number {
  const samsung = findSamsungTrailer(bytes);
  const limit = samsung ?? bytes.length;
  let at = end;
  while (hasFurtherImages) {
    const start = skipZeros(bytes, at);
    const image = start < limit && isJpeg(bytes.subarray(start, start + 3)) ? readJpegImage(bytes, start) : null;
    if (image === null) break;
    at = image.end;
  }
  if (hasVideo) at = findVideoEnd(bytes, at, limit);
  return samsung !== null && isPadding(bytes, at, samsung) ? bytes.length : at;
}

/** Reads the image of a file and the known trailers behind it; null if a part of the image is missing. */
export function readJpegStructure(bytes: Buffer): ImageStructure | null {
  const image = readJpegImage(bytes, 0);
  return image === null ? null : { animated: false, end: findTrailerEnd(bytes, image) };
}

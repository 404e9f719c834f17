import { readAscii } from './structure';

const CODE = {
  escaped: 0x00,
  restart: [0xd0, 0xd7],
  endOfImage: 0xd9,
  startOfScan: 0xda,
  application1: 0xe1,
  application2: 0xe2,
  fill: 0xff,
} as const;

/** One image of a file, as far as its end-of-image marker. */
export interface JpegImage {
  end: number;
  /** Whether it declares further images behind it (Multi-Picture Format, CIPA DC-007): gain maps, depth, previews. */
  hasFurtherImages: boolean;
  /** Whether it declares a video behind it: a motion photo. */
  hasVideo: boolean;
}

/** Whether bytes begin like a JPEG: the marker of the start of an image and that of a segment. */
export const isJpeg = (bytes: Buffer): boolean =>
  bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

/** Offset of the marker that ends the entropy-coded data starting at `offset`, or -1 if there is no such marker. */
function findScanEnd(bytes: Buffer, offset: number): number {
  for (let at = bytes.indexOf(0xff, offset); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1];
    if (code === undefined) return -1;
    const isScanData =
      code === CODE.escaped || code === CODE.fill || (code >= CODE.restart[0] && code <= CODE.restart[1]);
    if (!isScanData) return at;
  }
  return -1;
}

/** Reads the segments and scans of a JPEG (ITU-T T.81, annex B) up to its end-of-image marker; null if a part is missing. */
export function readJpegImage(bytes: Buffer, start: number): JpegImage | null {
  let at = start + 2;
  let scans = 0;
  let hasFurtherImages = false;
  let hasVideo = false;
  while (at >= 0 && at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const code = bytes[at + 1];
    if (code === CODE.fill) {
      at += 1;
      continue;
    }
    if (code === CODE.endOfImage) return scans > 0 ? { end: at + 2, hasFurtherImages, hasVideo } : null;
    if (at + 4 > bytes.length) return null;
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (next > bytes.length || next < at + 4) return null;
    if (code === CODE.startOfScan) scans += 1;
    hasFurtherImages ||= code === CODE.application2 && readAscii(bytes, at + 4, at + 8) === 'MPF\0';
    hasVideo ||= code === CODE.application1 && /MotionPhoto|MicroVideo/.test(readAscii(bytes, at + 4, next));
    at = code === CODE.startOfScan ? findScanEnd(bytes, next) : next;
  }
  return null;
}

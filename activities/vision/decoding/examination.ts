import type { Metadata, Sharp } from 'sharp';
import type { FileOrigin } from '../../../domain/identity/documents/recapture';
import type { Raster } from '../imaging/raster';

/** Side of a square, pixels: a power of two, as its spectrum wants it. */
const SQUARE_SIDE = 128;
/** Squares along each side of a picture, where they fit without overlapping. */
const SQUARES_PER_SIDE = 5;
/** Pictures with more pixels are not unpacked a second time for their squares. */
const MAX_PIXELS = 30_000_000;

function cropSquare({ width, data }: Raster, left: number, top: number): Raster {
  const square = new Uint8Array(SQUARE_SIDE * SQUARE_SIDE * 3);
  for (let row = 0; row < SQUARE_SIDE; row += 1) {
    const from = ((top + row) * width + left) * 3;
    square.set(data.subarray(from, from + SQUARE_SIDE * 3), row * SQUARE_SIDE * 3);
  }
  return { width: SQUARE_SIDE, height: SQUARE_SIDE, data: square };
}

async function decodeFullSize(image: Sharp): Promise<Raster> {
  const { data, info } = await image
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/**
 * Squares spread evenly over a picture at its own resolution: any reduction would average away, and any enlargement
 * smear, the fine structure they are looked at for.
 *
 * @param decoded the picture at the size it is worked on, which may be its own
 */
export async function extractSquares(
  image: Sharp,
  { width, height }: { width: number; height: number },
  decoded: Raster,
): Promise<Raster[]> {
  if (width * height > MAX_PIXELS) return [];
  const fullSize = decoded.width === width && decoded.height === height ? decoded : await decodeFullSize(image);
  const spreadOffsets = (length: number): number[] => {
    const count = Math.min(SQUARES_PER_SIDE, Math.floor(length / SQUARE_SIDE));
    return Array.from({ length: count }, (_, index) => Math.floor(((length - SQUARE_SIDE) * (index + 0.5)) / count));
  };
  return spreadOffsets(height).flatMap((top) => spreadOffsets(width).map((left) => cropSquare(fullSize, left, top)));
}

const SCREENSHOT_NOTE = /screen ?(shot|capture)/i;

/** What a file says of where it came from: its size, and any note that it is a screenshot. */
export function readFileOrigin({ format, autoOrient, exif, xmp, comments = [] }: Metadata, isPdf: boolean): FileOrigin {
  // Notes are short texts between binary ones; written in one byte a letter, or in two.
  const notes = [exif, xmp].map((block) => block?.toString('latin1').replaceAll('\0', '') ?? '');
  const commentTexts = comments.map(({ keyword, text }) => `${keyword} ${text}`);
  return {
    format: isPdf ? 'pdf' : format === 'png' || format === 'webp' ? format : 'jpeg',
    width: autoOrient.width,
    height: autoOrient.height,
    namedScreenshot: [...notes, ...commentTexts].some((note) => SCREENSHOT_NOTE.test(note)),
  };
}

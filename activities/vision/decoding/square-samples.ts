import type { Sharp } from 'sharp';
import type { Raster } from '../imaging/raster';

/** Side of a square sample in pixels: a power of two, as the Fourier transform requires. */
const SQUARE_SIDE = 128;
/** Squares along each side of an image, as far as they fit without overlapping. */
const SQUARES_PER_SIDE = 5;
/** Larger images are not decoded at full size for their squares. */
export const MAX_SAMPLED_PIXELS = 30_000_000;

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
 * Squares spread evenly over an image at its original resolution. Scaling in either direction would destroy the fine
 * structure that recapture detection measures.
 *
 * @param decoded the image at its working size, reused if that is the original size
 */
export async function extractSquares(
  image: Sharp,
  { width, height }: { width: number; height: number },
  decoded: Raster,
): Promise<Raster[]> {
  if (width * height > MAX_SAMPLED_PIXELS) return [];
  return cropSquares(decoded.width === width && decoded.height === height ? decoded : await decodeFullSize(image));
}

/** Squares spread evenly over an image at its original resolution; empty if it is too small. */
export function cropSquares(fullSize: Raster): Raster[] {
  const spreadOffsets = (length: number): number[] => {
    const count = Math.min(SQUARES_PER_SIDE, Math.floor(length / SQUARE_SIDE));
    return Array.from({ length: count }, (_, index) => Math.floor(((length - SQUARE_SIDE) * (index + 0.5)) / count));
  };
  return spreadOffsets(fullSize.height).flatMap((top) =>
    spreadOffsets(fullSize.width).map((left) => cropSquare(fullSize, left, top)),
  );
}

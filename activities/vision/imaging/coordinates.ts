import type { Box } from '../../../domain/identity/biometrics/result';
import { unturnRect } from './raster';
import type { Raster, Rect, Turn } from './raster';

/** The size of an image as uploaded, and the possibly smaller raster decoded from it. */
export interface SizedImage {
  raster: Pick<Raster, 'width' | 'height'>;
  fullWidth: number;
  fullHeight: number;
}

/** Maps a rectangle of the rotated raster to whole pixels of the image as uploaded, clipped to its borders. */
export function toImageBox(rect: Rect, turn: Turn, { raster, fullWidth, fullHeight }: SizedImage): Box {
  const { x, y, width, height } = unturnRect(rect, turn, raster.width, raster.height);
  const [scaleX, scaleY] = [fullWidth / raster.width, fullHeight / raster.height];
  const left = Math.max(0, Math.round(x * scaleX));
  const top = Math.max(0, Math.round(y * scaleY));
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(fullWidth, Math.round((x + width) * scaleX)) - left),
    height: Math.max(0, Math.min(fullHeight, Math.round((y + height) * scaleY)) - top),
  };
}

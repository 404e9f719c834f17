import { limitSize } from './regions';
import type { Region } from './regions';

/** Longest side of a picture that is sent, in pixels: print of a document stays readable, and the upload is small. */
export const MAX_SIDE = { document: 2400, face: 1280, frame: 720 } as const;

const JPEG_QUALITY = 0.92;

/** Draws a region of a picture or video, and returns it as JPEG. @throws Error if the browser cannot encode it */
export function encodeJpeg(
  source: CanvasImageSource,
  region: Region,
  maxSide: number,
  quality = JPEG_QUALITY,
): Promise<Blob> {
  const { width, height } = limitSize(region, maxSide);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return Promise.reject(new Error('The browser cannot draw.'));
  context.imageSmoothingQuality = 'high';
  // JPEG has no transparency, which would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, region.x, region.y, region.width, region.height, 0, 0, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser cannot encode the picture.')) : resolve(blob)),
      'image/jpeg',
      quality,
    ),
  );
}

/**
 * Scales and compresses a picture that the person has chosen. It is drawn again even if it is small, without what the
 * file says of the device and the place. A file that the browser cannot read, such as a PDF, or HEIC in some browsers, is
 * returned as it is: the service reads it.
 */
export async function compressFile(file: File, maxSide: number): Promise<Blob> {
  if (!file.type.startsWith('image/')) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const whole = { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const compressed = await encodeJpeg(bitmap, whole, maxSide);
    bitmap.close();
    return compressed;
  } catch {
    return file;
  }
}

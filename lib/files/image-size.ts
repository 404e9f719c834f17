import { imageSize } from 'image-size';

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

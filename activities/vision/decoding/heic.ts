import loadLibheif from 'libheif-js/libheif-wasm/libheif.js';
import { readWasm } from '../wasm-file';

// libheif runs as WebAssembly in the decoder process: a crafted file can only affect the memory of the module, and the
// process is killed if it takes too long.

/** Decoded pixels: RGBA, 8 bits, upright. */
export interface HeicRaster {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** The message has the words by which the decoder recognises that an image has too many pixels. */
export const PIXEL_LIMIT_MESSAGE = 'Input image exceeds pixel limit';

let modulePromise: Promise<loadLibheif.Libheif> | undefined;
const loadModule = (): Promise<loadLibheif.Libheif> =>
  (modulePromise ??= readWasm(require.resolve('libheif-js/libheif-wasm/libheif.wasm')).then((wasmBinary) =>
    loadLibheif({ wasmBinary }),
  ));

/**
 * Decodes the primary image of a HEIC file, turned as the file states.
 * @throws Error if the file is damaged, or its image has more than `maxPixels`
 */
export async function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<HeicRaster> {
  const { HeifDecoder } = await loadModule();
  const images = new HeifDecoder().decode(bytes);
  try {
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (image === undefined) throw new Error('The HEIC file has no image.');
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > maxPixels) throw new Error(PIXEL_LIMIT_MESSAGE);
    const data = new Uint8ClampedArray(width * height * 4);
    const decoded = await new Promise<object | null>((resolve) =>
      image.display({ data, width, height }, (result) => resolve(result)),
    );
    if (decoded === null) throw new Error('The HEIC image could not be decoded.');
    return { width, height, data };
  } finally {
    for (const image of images) image.free();
  }
}

import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { ImagePyramid } from '../imaging/image-pyramid';
import type { Affine } from '../imaging/image-pyramid';
import type { Raster, Rect } from '../imaging/raster';
import { readWasm } from '../wasm-file';

export interface DetectedBarcode {
  /** null if the symbol was detected but its error correction failed */
  text: string | null;
  /** bounding box of the symbol, in pixels of the raster */
  box: Rect;
}

// The module is loaded once per thread from the npm package; nothing is downloaded.
let modulePromise: Promise<unknown> | undefined;
const loadModule = (): Promise<unknown> =>
  (modulePromise ??= readWasm(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).then((wasmBinary) =>
    prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true }),
  ));

const toRgba = ({ width, height, data }: Raster): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from] ?? 0;
    pixels[to + 1] = data[from + 1] ?? 0;
    pixels[to + 2] = data[from + 2] ?? 0;
  }
  return pixels;
};

async function scanBarcode(raster: Raster): Promise<DetectedBarcode | null> {
  const image = { data: toRgba(raster), width: raster.width, height: raster.height, colorSpace: 'srgb' as const };
  const found = await readBarcodes(image, {
    formats: ['PDF417'],
    tryHarder: true,
    tryRotate: true,
    tryDownscale: true,
    tryInvert: false,
    maxNumberOfSymbols: 1,
    returnErrors: true,
    textMode: 'Plain',
  });
  const symbol = found.find(({ isValid }) => isValid) ?? found[0];
  if (symbol === undefined) return null;
  const { topLeft, topRight, bottomLeft, bottomRight } = symbol.position;
  const corners = [topLeft, topRight, bottomLeft, bottomRight];
  const [x, y] = [Math.min(...corners.map((corner) => corner.x)), Math.min(...corners.map((corner) => corner.y))];
  return {
    text: symbol.isValid ? symbol.text : null,
    box: {
      x,
      y,
      width: Math.max(...corners.map((corner) => corner.x)) - x,
      height: Math.max(...corners.map((corner) => corner.y)) - y,
    },
  };
}

/** The reader follows rows of modules and loses them at a larger tilt, in radians. */
const MAX_TILT = 0.02;

/** Rotates a raster about its centre to level text tilted by `angle`; `affine` maps the result back. */
function levelRaster(raster: Raster, angle: number): { raster: Raster; affine: Affine } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const { width, height } = raster;
  const [cx, cy] = [width / 2, height / 2];
  const affine: Affine = [cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy];
  return { raster: new ImagePyramid(raster).samplePatch(width, height, affine, 255), affine };
}

const mapBoxBack = (box: Rect, [a, b, c, d, e, f]: Affine): Rect => {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return {
    x: a * x + b * y + c - box.width / 2,
    y: d * x + e * y + f - box.height / 2,
    width: box.width,
    height: box.height,
  };
};

/**
 * Detects and decodes the PDF417 symbol of an upright page. A decoded symbol takes precedence over one only detected.
 *
 * @param tilt tilt of the text of the page, radians
 */
export async function findPdf417(raster: Raster, tilt: number): Promise<DetectedBarcode | null> {
  await loadModule();
  const straight = await scanBarcode(raster);
  if (straight?.text != null || Math.abs(tilt) < MAX_TILT) return straight;
  const level = levelRaster(raster, tilt);
  const found = await scanBarcode(level.raster);
  return found === null ? straight : { ...found, box: mapBoxBack(found.box, level.affine) };
}

/** An upright decoded image: RGB, 8 bits per channel, rows from the top, no padding. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8Array;
}

/** One channel, such as luminance or probability, rows from the top. */
export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

/** Clockwise rotation applied to an image, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** Halves both sides by averaging 2×2 pixels; an odd last row or column is dropped. */
export function halve(source: Raster): Raster {
  const width = Math.max(1, source.width >> 1);
  const height = Math.max(1, source.height >> 1);
  const data = new Uint8Array(width * height * 3);
  const stride = source.width * 3;
  const { data: from } = source;
  let out = 0;
  for (let y = 0; y < height; y += 1) {
    let at = 2 * y * stride;
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        const offset = at + channel;
        const sum =
          (from[offset] ?? 0) +
          (from[offset + 3] ?? 0) +
          (from[offset + stride] ?? 0) +
          (from[offset + stride + 3] ?? 0);
        data[out] = (sum + 2) >> 2;
        out += 1;
      }
      at += 6;
    }
  }
  return { width, height, data };
}

/** Rotates the image clockwise. */
export function turnRaster(source: Raster, turn: Turn): Raster {
  if (turn === 0) return source;
  const { width, height, data: from } = source;
  const swap = turn !== 180;
  const result: Raster = {
    width: swap ? height : width,
    height: swap ? width : height,
    data: new Uint8Array(from.length),
  };
  const { data: to, width: newWidth } = result;
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const column = turn === 90 ? height - 1 - y : turn === 180 ? width - 1 - x : y;
      const row = turn === 90 ? x : turn === 180 ? height - 1 - y : width - 1 - x;
      const offset = (row * newWidth + column) * 3;
      to[offset] = from[at] ?? 0;
      to[offset + 1] = from[at + 1] ?? 0;
      to[offset + 2] = from[at + 2] ?? 0;
      at += 3;
    }
  }
  return result;
}

/** A bounding box: top left corner and size. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Maps a rectangle of a rotated image back to the image before rotation, which is `width` × `height`. */
export function unturnRect(rect: Rect, turn: Turn, width: number, height: number): Rect {
  const { x, y, width: w, height: h } = rect;
  switch (turn) {
    case 0:
      return rect;
    case 90:
      return { x: y, y: height - x - w, width: h, height: w };
    case 180:
      return { x: width - x - w, y: height - y - h, width: w, height: h };
    case 270:
      return { x: width - y - h, y: x, width: h, height: w };
  }
}

/** Luminance (ITU-R BT.601) of the whole image. */
export function toLuminance(source: Raster): Plane {
  const count = source.width * source.height;
  const data = new Float32Array(count);
  const { data: from } = source;
  for (let index = 0, at = 0; index < count; index += 1, at += 3) {
    data[index] = 0.299 * (from[at] ?? 0) + 0.587 * (from[at + 1] ?? 0) + 0.114 * (from[at + 2] ?? 0);
  }
  return { width: source.width, height: source.height, data };
}

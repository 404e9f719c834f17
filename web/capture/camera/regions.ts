/** A part of a picture, in its own pixels. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The largest region of a width-to-height ratio in the middle of a picture.
 * @param share of the picture's width or height that the region fills
 */
export function fitRegion(picture: { width: number; height: number }, ratio: number, share = 1): Region {
  const width = Math.min(picture.width, picture.height * ratio) * share;
  const height = width / ratio;
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height };
}

/** A region with a margin on every side, within the picture. */
export function addMargin(region: Region, margin: number, picture: { width: number; height: number }): Region {
  const x = Math.max(0, region.x - margin);
  const y = Math.max(0, region.y - margin);
  return {
    x,
    y,
    width: Math.min(picture.width, region.x + region.width + margin) - x,
    height: Math.min(picture.height, region.y + region.height + margin) - y,
  };
}

/** The size of a picture whose longest side is limited, in whole pixels. */
export function limitSize({ width, height }: { width: number; height: number }, maxSide: number) {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

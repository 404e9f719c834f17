import type { CoveringMeasures } from '../../../domain/identity/biometrics/covered-parts';
import type { Raster, Rect } from '../imaging/raster';

// Regions of the aligned 112×112 face.
const FOREHEAD: Rect = { x: 46, y: 32, width: 20, height: 14 };
const CHIN: Rect = { x: 38, y: 82, width: 36, height: 26 };
const MOUTH: Rect = { x: 44, y: 86, width: 24, height: 12 };
const EYES: readonly Rect[] = [
  { x: 30, y: 47, width: 17, height: 10 },
  { x: 65, y: 47, width: 17, height: 10 },
];
/** Darker regions are compared as if they had this luminance, at which noise outweighs contours. */
const MIN_LUMINANCE = 20;

interface RegionColour {
  luminance: number;
  deviation: number;
  blue: number;
  red: number;
}

/** Mean luminance and chroma (BT.601) of a region, and the standard deviation of its luminance. */
function measureRegion({ width, data }: Raster, region: Rect): RegionColour {
  const sums = { luminance: 0, squares: 0, blue: 0, red: 0 };
  for (let y = region.y; y < region.y + region.height; y += 1) {
    for (let x = region.x; x < region.x + region.width; x += 1) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      const luminance = 0.299 * r + 0.587 * g + 0.114 * b;
      sums.luminance += luminance;
      sums.squares += luminance * luminance;
      sums.blue += 0.564 * (b - luminance);
      sums.red += 0.713 * (r - luminance);
    }
  }
  const count = region.width * region.height;
  const luminance = sums.luminance / count;
  const deviation = Math.sqrt(Math.max(0, sums.squares / count - luminance * luminance));
  return { luminance, deviation, blue: sums.blue / count, red: sums.red / count };
}

/** Measures whether something covers the eyes or the mouth of an aligned face. */
export function measureCovering(aligned: Raster, eyesOpen: readonly number[]): CoveringMeasures {
  const [forehead, chin, mouth] = [
    measureRegion(aligned, FOREHEAD),
    measureRegion(aligned, CHIN),
    measureRegion(aligned, MOUTH),
  ];
  const eyes = EYES.map((region) => measureRegion(aligned, region).luminance);
  return {
    eyesOpen: Math.max(...eyesOpen),
    eyeBrightness: Math.max(...eyes) / Math.max(MIN_LUMINANCE, forehead.luminance),
    mouthContrast: mouth.deviation / Math.max(MIN_LUMINANCE, mouth.luminance),
    colourStep: Math.hypot(forehead.blue - chin.blue, forehead.red - chin.red),
  };
}

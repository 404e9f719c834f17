import { buildRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';
import type { DocumentSide } from './result';

/**
 * The fine structure of an image, measured on squares of it at the resolution in which it was sent. Peaks are in
 * standard deviations above their surroundings in the spectrum.
 */
export interface FineStructure {
  /** Median of the strongest peaks of the squares. */
  median: number;
  /** Share of the squares with a peak in which red and blue alternate, like the stripes of a display; 0–1. */
  opponentShare: number;
  /** The strongest peak common to all squares: the same grid across the whole image. */
  lattice: number;
}

/**
 * Limits between genuine captures and captures of displays and prints, measured by `npm run bench -- recapture`;
 * docs/explanation/vision.md has the figures.
 */
export const RECAPTURE_LIMITS = {
  /** Minimum median peak of a capture of a display. */
  minMedian: 5.2,
  /** Minimum common peak of a capture of a display or print. */
  minLattice: 10,
  /** Share of two-coloured squares that distinguishes a display from the fine lines of a document. */
  minOpponentShare: 0.1,
  /** Share of two-coloured squares that distinguishes a display from a print, where some occur by chance. */
  minOpponentShareOfGrid: 0.14,
} as const;

export type RecaptureKind = 'screen' | 'print';

/** Detects by its fine structure what an image was taken of; null for a genuine document, as far as can be seen. */
export function detectRecapture({ median, opponentShare, lattice }: FineStructure): RecaptureKind | null {
  const { minMedian, minLattice, minOpponentShare, minOpponentShareOfGrid } = RECAPTURE_LIMITS;
  // Dots of ink keep their grid across the whole print; the pixels of a display may drift against those of the camera.
  if (lattice >= minLattice) return opponentShare >= minOpponentShareOfGrid ? 'screen' : 'print';
  // Curved fine lines cause peaks everywhere too, but of a single colour.
  return median >= minMedian && opponentShare >= minOpponentShare ? 'screen' : null;
}

/** The origin of a file, as far as the file states it. */
export interface FileOrigin {
  format: 'jpeg' | 'png' | 'webp' | 'pdf';
  /** Pixels of the file as sent. */
  width: number;
  height: number;
  /** True if its metadata call it a screenshot. */
  namedScreenshot: boolean;
}

/**
 * Displays of phones, shorter side first. Sizes that are also used by videos and webcams (such as 1080×1920) are left
 * out: a genuine capture page may send one of those.
 */
const TELEPHONE_DISPLAYS: readonly (readonly [number, number])[] = [
  [720, 1600],
  [828, 1792],
  [1008, 2244],
  [1080, 2280],
  [1080, 2316],
  [1080, 2340],
  [1080, 2376],
  [1080, 2400],
  [1080, 2408],
  [1080, 2412],
  [1080, 2424],
  [1080, 2460],
  [1125, 2436],
  [1170, 2532],
  [1179, 2556],
  [1206, 2622],
  [1220, 2712],
  [1242, 2688],
  [1260, 2800],
  [1284, 2778],
  [1290, 2796],
  [1320, 2868],
  [1344, 2992],
  [1440, 3088],
  [1440, 3120],
  [1440, 3200],
];

/** A file declared as a screenshot, or a PNG with exactly the size of a phone display: cameras write JPEG. */
export function isScreenshot({ format, width, height, namedScreenshot }: FileOrigin): boolean {
  if (namedScreenshot) return true;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return format === 'png' && TELEPHONE_DISPLAYS.some(([one, other]) => one === short && other === long);
}

/** Traits of one image that indicate how it was captured. */
export interface CaptureTraits {
  side: DocumentSide;
  /** Colour that does not follow from brightness, as tinted light causes it; 0–128. */
  chroma: number;
  /** Null if the image is too small or too large to be measured. */
  structure: FineStructure | null;
  origin: FileOrigin;
}

/** Mean chroma below which a page with a portrait is a black-and-white copy. */
export const MIN_CHROMA = 0.6;

function detectCaptureRisk(capture: CaptureTraits, hasPortrait: boolean): Risk | null {
  const { side, structure, origin, chroma } = capture;
  if (isScreenshot(origin)) return buildRisk('screen_capture_suspected', { details: { side, cue: 'screenshot' } });
  const recapture = structure === null ? null : detectRecapture(structure);
  if (structure !== null && recapture === 'screen') {
    return buildRisk('screen_capture_suspected', { details: { side, cue: 'pixel_grid', ...structure } });
  }
  if (structure !== null && recapture === 'print') {
    return buildRisk('printed_copy_suspected', { details: { side, cue: 'halftone', ...structure } });
  }
  if (!hasPortrait || chroma >= MIN_CHROMA) return null;
  return buildRisk('printed_copy_suspected', { details: { side, cue: 'no_colour', chroma } });
}

/**
 * The risks of images that seem to be taken of a display or a printed copy; each code once. Backs of cards often have
 * no colour, so its absence counts only on the side with the portrait.
 */
export function assessRecaptureRisks(captures: readonly CaptureTraits[], portraitSide: DocumentSide | null): Risk[] {
  const found = captures
    .map((capture) => detectCaptureRisk(capture, capture.side === portraitSide))
    .filter((risk) => risk !== null);
  return found.filter(({ code }, index) => found.findIndex((other) => other.code === code) === index);
}

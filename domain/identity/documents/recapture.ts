import { makeRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';
import type { DocumentSide } from './result';

/**
 * What the fine structure of a picture looks like, measured on squares of it at the resolution it was sent in. Peaks are
 * in standard deviations over what lies around them in the spectrum.
 */
export interface FineStructure {
  /** the strongest peak of each square: what half of the squares reach */
  median: number;
  /** share of the squares with a peak in which red and blue alternate, as the stripes of a display do; 0–1 */
  opponentShare: number;
  /** the strongest peak that all squares have in common: the same grid all over the picture */
  lattice: number;
}

/**
 * Limits between honest pictures and pictures of displays and prints, measured by `bench recapture`; docs/vision.md has the
 * figures.
 */
export const RECAPTURE_LIMITS = {
  /** half of the squares have a peak as strong */
  minMedian: 5.2,
  /** or all of them share one as strong */
  minLattice: 10,
  /** stripes of two colours in as many squares tell a display from the fine lines of a document */
  minOpponentShare: 0.1,
  /** and in as many from a print, where they come about by chance */
  minOpponentShareOfGrid: 0.14,
} as const;

export type RecaptureKind = 'screen' | 'print';

/** What a picture was taken of, where its fine structure tells; null for a document itself, as far as can be seen. */
export function detectRecapture({ median, opponentShare, lattice }: FineStructure): RecaptureKind | null {
  const { minMedian, minLattice, minOpponentShare, minOpponentShareOfGrid } = RECAPTURE_LIMITS;
  // Dots of ink keep their grid all over a print; a display's pixels may drift against the camera's.
  if (lattice >= minLattice) return opponentShare >= minOpponentShareOfGrid ? 'screen' : 'print';
  // Fine lines that bend make peaks everywhere as well, but of one colour.
  return median >= minMedian && opponentShare >= minOpponentShare ? 'screen' : null;
}

/** Where a file came from, as far as it says so itself. */
export interface FileOrigin {
  format: 'jpeg' | 'png' | 'webp' | 'pdf';
  /** pixels of the file as sent */
  width: number;
  height: number;
  /** its own data call it a screenshot */
  namedScreenshot: boolean;
}

/**
 * Displays of telephones, shorter side first. Sizes in which films and webcams are taken as well (such as 1080×1920) are
 * left out: an honest capture page may send one of those.
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

/** A screenshot by its own word, or a PNG exactly as large as a telephone's display: cameras write JPEG. */
export function isScreenshot({ format, width, height, namedScreenshot }: FileOrigin): boolean {
  if (namedScreenshot) return true;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return format === 'png' && TELEPHONE_DISPLAYS.some(([one, other]) => one === short && other === long);
}

/** What one picture shows of how it was taken. */
export interface CaptureTraits {
  side: DocumentSide;
  /** colour that does not follow from brightness, as a light of one tint makes it; 0–128 */
  chroma: number;
  /** null where the picture is too small, or too large, to be looked at */
  structure: FineStructure | null;
  origin: FileOrigin;
}

/** Mean chroma below which a page with a portrait is a black-and-white copy. */
export const MIN_CHROMA = 0.6;

function detectCaptureRisk(capture: CaptureTraits, hasPortrait: boolean): Risk | null {
  const { side, structure, origin, chroma } = capture;
  if (isScreenshot(origin)) return makeRisk('screen_capture_suspected', { details: { side, cue: 'screenshot' } });
  const recapture = structure === null ? null : detectRecapture(structure);
  if (structure !== null && recapture === 'screen') {
    return makeRisk('screen_capture_suspected', { details: { side, cue: 'pixel_grid', ...structure } });
  }
  if (structure !== null && recapture === 'print') {
    return makeRisk('printed_copy_suspected', { details: { side, cue: 'halftone', ...structure } });
  }
  if (!hasPortrait || chroma >= MIN_CHROMA) return null;
  return makeRisk('printed_copy_suspected', { details: { side, cue: 'no_colour', chroma } });
}

/**
 * Pictures that seem to be taken of a display or of a printed copy; each code once. Backs of cards are often without
 * colour, so that its absence counts on the side with the portrait alone.
 */
export function assessRecaptureRisks(captures: readonly CaptureTraits[], portraitSide: DocumentSide | null): Risk[] {
  const found = captures
    .map((capture) => detectCaptureRisk(capture, capture.side === portraitSide))
    .filter((risk) => risk !== null);
  return found.filter(({ code }, index) => found.findIndex((other) => other.code === code) === index);
}

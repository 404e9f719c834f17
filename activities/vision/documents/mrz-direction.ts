import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Turn } from '../imaging/raster';
import type { TextLine } from '../text/detector';
import { decodeZoneGreedily } from '../text/forced-decoding';
import type { GreedyReading } from '../text/forced-decoding';
import type { StripExtent } from '../text/line-reader';
import { findLevelTurn, turnLine } from '../text/page';
import type { DetectedText } from '../text/page';
import { extractZoneStrip, recogniseZoneLine } from '../text/zone-line';
import { isZoneLike } from './mrz-rows';

/** Length of a row of a zone in heights of its line; rows have at least 30 characters. */
const MIN_ROW_RATIO = 12;
/** The longest lines that are tried, of those along the text of the page and of those across it. */
const MAX_LINES = 6;
/** Characters in a row per height of its line: 1.1 in rows of 30 characters, 1.3 in those of 44. */
const CHARACTERS_PER_HEIGHT = 1.18;

/**
 * Minimum number of characters and their mean confidence for a line to be a row of a zone; other text and rows upside
 * down are read with 0.4 to 0.8. The other rows may have been detected in pieces.
 */
const MIN_CHARACTERS = 25;
const MIN_CONFIDENCE = 0.9;

/** Whether a line is long enough for a row of a zone. */
export const isLongLine = ({ length, height }: TextLine): boolean => length >= MIN_ROW_RATIO * height;

/** The number of characters in a row of a zone, by its shape. */
export const estimateCharacters = ({ length, height }: TextLine): number =>
  Math.min(50, Math.max(28, Math.round((length / height) * CHARACTERS_PER_HEIGHT)));

/** Fillers at the end of a row that are read again with its last characters, and those that need not be. */
const KEPT_FILLERS = 3;
const MIN_OMITTED_FILLERS = 3;
/** Confidence of each filler at the end of a row that only the recogniser for zones reads. */
const FILLER_CONFIDENCE = 0.9;

/** The part of a row that the text recogniser reads, too: not the fillers at its end, of which it gives no opinion. */
export function findValueExtent({ text, confidences, at }: GreedyReading): Pick<StripExtent, 'end' | 'fillers'> {
  const values = text.replace(/<+$/, '').length;
  const first = values + KEPT_FILLERS;
  const omitted = text.length - first;
  const isCertain = confidences.slice(values).every((confidence) => confidence >= FILLER_CONFIDENCE);
  const [before, after] = [at[first - 1], at[first]];
  if (omitted < MIN_OMITTED_FILLERS || !isCertain || before === undefined || after === undefined) {
    return { end: 1, fillers: 0 };
  }
  return { end: (before + after) / 2, fillers: omitted };
}

/** Reads a line as a row of a zone in its direction; null if it is none. Takes about two milliseconds. */
export async function readZoneRow(
  networks: Networks,
  image: ImagePyramid,
  line: TextLine,
): Promise<GreedyReading | null> {
  const strip = extractZoneStrip(image, line, estimateCharacters(line));
  const reading = decodeZoneGreedily(await recogniseZoneLine(networks, strip));
  const { text, confidence } = reading;
  return text.length >= MIN_CHARACTERS && confidence >= MIN_CONFIDENCE && isZoneLike({ text }) ? reading : null;
}

/** The turn that makes text of this direction upright. */
function findTurn(angle: number): Turn {
  const quarters = (4 - (Math.round((2 * angle) / Math.PI) % 4)) % 4;
  return ([0, 90, 180, 270] as const)[quarters] ?? 0;
}

/** A row of a zone, in the image turned by `turn`, which makes it upright. */
export interface UprightRow {
  turn: Turn;
  row: TextLine;
}

/**
 * The first of the long lines of an image that is a row of a zone, in any direction; null without one. Costs a few
 * milliseconds per long line.
 */
export async function findUprightRow(networks: Networks, text: DetectedText): Promise<UprightRow | null> {
  const { image, raster, detected } = text;
  const long = detected.filter(isLongLine);
  const levelTurn = findLevelTurn(text);
  const isAlong = ({ angle }: TextLine): boolean => (findTurn(angle) - levelTurn) % 180 === 0;
  const tried = [
    ...long.filter(isAlong).slice(0, MAX_LINES),
    ...long.filter((line) => !isAlong(line)).slice(0, MAX_LINES),
  ];
  for (const half of [0, Math.PI]) {
    for (const line of tried) {
      const angle = line.angle + half;
      if ((await readZoneRow(networks, image, { ...line, angle })) === null) continue;
      const turn = findTurn(angle);
      return { turn, row: turnLine(line, turn, raster.width, raster.height) };
    }
  }
  return null;
}

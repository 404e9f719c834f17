import type { Networks } from '../inference/networks';
import { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster, Turn } from '../imaging/raster';
import type { TextLine } from '../text/detector';
import { decodeZoneGreedily } from '../text/forced-decoding';
import type { Page } from '../text/page';
import { extractZoneStrip, recogniseZoneLine } from '../text/zone-line';
import { isZoneLike } from './mrz-rows';

/** Length of a row of a zone in heights of its line; rows have at least 30 characters. */
const MIN_ROW_RATIO = 12;
/** The longest lines that are tried, of those across the text of the page and of those along it. */
const MAX_LINES = 6;
const LINE_LENGTHS = [30, 36, 44] as const;

/**
 * Minimum number of characters and their mean confidence for a line to be a row of a zone; other text and rows upside
 * down are read with 0.4 to 0.8. The other rows may have been detected in pieces.
 */
const MIN_CHARACTERS = 25;
const MIN_CONFIDENCE = 0.9;

/** Whether a line is a row of a zone when read in its direction. */
async function isZoneRow(networks: Networks, image: ImagePyramid, line: TextLine): Promise<boolean> {
  for (const length of LINE_LENGTHS) {
    const strip = extractZoneStrip(image, line, length);
    const { text, confidence } = decodeZoneGreedily(await recogniseZoneLine(networks, strip));
    if (text.length >= MIN_CHARACTERS && confidence >= MIN_CONFIDENCE && isZoneLike({ text })) return true;
  }
  return false;
}

/** The turn that makes text of this direction upright. */
function findTurn(angle: number): Turn {
  const quarters = (4 - (Math.round((2 * angle) / Math.PI) % 4)) % 4;
  return ([0, 90, 180, 270] as const)[quarters] ?? 0;
}

/**
 * The turn by which a long line of a page is a row of a zone; null if none is in any direction, or in the one that the
 * page was read in. Costs a few milliseconds per long line.
 */
export async function findZoneTurn(networks: Networks, raster: Raster, page: Page): Promise<Turn | null> {
  const image = new ImagePyramid(raster);
  const long = page.detected.filter(({ length, height }) => length >= MIN_ROW_RATIO * height);
  const isAlong = ({ angle }: TextLine): boolean => (findTurn(angle) - page.turn) % 180 === 0;
  const tried = [
    ...long.filter((line) => !isAlong(line)).slice(0, MAX_LINES),
    ...long.filter(isAlong).slice(0, MAX_LINES),
  ];
  for (const line of tried) {
    for (const angle of [line.angle, line.angle + Math.PI]) {
      const turn = findTurn(angle);
      if (turn !== page.turn && (await isZoneRow(networks, image, { ...line, angle }))) return turn;
    }
  }
  return null;
}

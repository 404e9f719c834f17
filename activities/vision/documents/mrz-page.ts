import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster } from '../imaging/raster';
import type { RecognisedLine } from '../text/line-reader';
import { CARD_TEXT, readText, readTextTurned } from '../text/page';
import type { Page } from '../text/page';
import { findZoneTurn } from './mrz-direction';
import { MrzReader } from './mrz-reader';
import type { DetectedZone } from './mrz-reader';
import { isZoneLike } from './mrz-rows';

export interface RecognisedPage extends Page {
  /** the zone read best, then the zone of a second document in the same image */
  zones: DetectedZone[];
}

/** Minimum number of MRZ-like rows in the zone of a second document. */
const MIN_ROWS = 2;

/** Lines that belong neither to the rows of a zone nor to their immediate surroundings. */
function excludeZoneLines(lines: readonly RecognisedLine[], { rows, parts }: DetectedZone): RecognisedLine[] {
  return lines.filter(
    (line) => !parts.includes(line) && rows.every(({ y, height }) => Math.abs(line.y - y) > 1.5 * height),
  );
}

/**
 * Splits the lines at the widest horizontal gap that no MRZ-like line crosses; null if either part has too few rows for
 * a zone.
 */
function splitAtWidestGap(lines: readonly RecognisedLine[]): [RecognisedLine[], RecognisedLine[]] | null {
  const spans = lines.filter(isZoneLike).map(({ x, length }) => [x - length / 2, x + length / 2] as const);
  let [end, widest, middle] = [-Infinity, 0, 0];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    if (Number.isFinite(end) && from - end > widest) [widest, middle] = [from - end, (from + end) / 2];
    end = Math.max(end, to);
  }
  const parts: [RecognisedLine[], RecognisedLine[]] = [
    lines.filter(({ x }) => x < middle),
    lines.filter(({ x }) => x >= middle),
  ];
  return widest > 0 && parts.every((part) => part.filter(isZoneLike).length >= MIN_ROWS) ? parts : null;
}

/** Reads the zones of two documents that lie side by side, whose rows look like the long rows of a single zone. */
async function readAdjacentZones(
  reader: MrzReader,
  image: ImagePyramid,
  lines: readonly RecognisedLine[],
  today: string,
): Promise<DetectedZone[] | null> {
  const zones: DetectedZone[] = [];
  for (const part of splitAtWidestGap(lines) ?? []) {
    const zone = await reader.read(image, part, today);
    // Parts of one zone never pass their check digits.
    if (zone?.parsed.valid !== true) return null;
    zones.push(zone);
  }
  return zones.length === 0 ? null : zones.sort((a, b) => b.plausibility - a.plausibility);
}

/** Reads the machine-readable zones of a page that is assumed to be upright. */
async function readZones(networks: Networks, page: Page, today: string): Promise<RecognisedPage> {
  const { read } = page;
  const reader = new MrzReader(networks);
  const zone = await reader.read(page.image, read, today);
  const adjacentZones = zone?.parsed.valid === true ? null : await readAdjacentZones(reader, page.image, read, today);
  if (adjacentZones !== null) return { ...page, zones: adjacentZones };
  if (zone === null) return { ...page, zones: [] };
  const otherLines = excludeZoneLines(read, zone);
  const secondZone =
    otherLines.filter(isZoneLike).length < MIN_ROWS ? null : await reader.read(page.image, otherLines, today);
  return { ...page, zones: secondZone === null ? [zone] : [zone, secondZone] };
}

/**
 * Reads all text of one side of a document, and its machine-readable zones. If there is no zone in the direction of the
 * text, but in another one, the page is read in that direction.
 */
export async function readPage(networks: Networks, raster: Raster, today: string): Promise<RecognisedPage> {
  const page = await readZones(networks, await readText(networks, raster, CARD_TEXT), today);
  if (page.zones.length > 0) return page;
  const turn = await findZoneTurn(networks, raster, page);
  if (turn === null) return page;
  const turned = await readZones(networks, await readTextTurned(networks, raster, page, turn), today);
  return turned.zones.length > 0 ? turned : page;
}

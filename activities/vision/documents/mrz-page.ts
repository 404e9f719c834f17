import { isVerifiedZone } from '../../../domain/identity/documents/mrz/verification';
import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster } from '../imaging/raster';
import { runStage } from '../inference/stages';
import type { TextLine } from '../text/detector';
import type { RecognisedLine } from '../text/line-reader';
import { CARD_TEXT, detectPageText, PageText, readText } from '../text/page';
import type { Page } from '../text/page';
import { estimateCharacters, findUprightRow, findValueExtent, isLongLine, readZoneRow } from './mrz-direction';
import { computeRowWidth, MrzReader } from './mrz-reader';
import type { DetectedZone } from './mrz-reader';
import { isZoneLike } from './mrz-rows';
import { readConfirmingPrint } from './print-confirmation';

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
async function readZones(reader: MrzReader, page: Page, today: string): Promise<RecognisedPage> {
  const { read } = page;
  const zone = await reader.read(page.image, read, today);
  const adjacentZones = zone?.parsed.valid === true ? null : await readAdjacentZones(reader, page.image, read, today);
  if (adjacentZones !== null) return { ...page, zones: adjacentZones };
  if (zone === null) return { ...page, zones: [] };
  const otherLines = excludeZoneLines(read, zone);
  const secondZone =
    otherLines.filter(isZoneLike).length < MIN_ROWS ? null : await reader.read(page.image, otherLines, today);
  return { ...page, zones: secondZone === null ? [zone] : [zone, secondZone] };
}

/** Distance of the first and the last row of a zone in heights of a row, with a margin. */
const ZONE_REACH = 5.2;

/** Whether a line may be a row of the same zone as a row, or a part of one. */
function isNearRow({ x, y, height }: TextLine, row: TextLine): boolean {
  const across = (y - row.y) * Math.cos(row.angle) - (x - row.x) * Math.sin(row.angle);
  return Math.abs(across) < ZONE_REACH * row.height && hasSizeOf(height, row);
}

const hasSizeOf = (height: number, row: TextLine): boolean => height > 0.5 * row.height && height < 1.8 * row.height;

/**
 * Reads the lines that may belong to the zone of a row; its long rows at the width that separates their characters, and
 * without the fillers at their end.
 */
async function readNearRow(networks: Networks, text: PageText, nearby: TextLine): Promise<void> {
  for (const line of text.lines.filter((one) => isNearRow(one, nearby))) {
    const row = isLongLine(line) ? await readZoneRow(networks, text.image, line) : null;
    const width = computeRowWidth(estimateCharacters(line));
    await text.read(line, row === null ? undefined : { width, ...findValueExtent(row) });
  }
}

/** Length of a row of another document in the same image, relative to that of a row. */
const MIN_OTHER_LENGTH = 0.6;

/** Whether unread lines may be the zone of a second document in the same image. */
async function showsOtherZone(networks: Networks, text: PageText, row: TextLine): Promise<boolean> {
  const lines = text
    .listUnread()
    .filter((line) => isLongLine(line) && hasSizeOf(line.height, row) && line.length > MIN_OTHER_LENGTH * row.length);
  let rows = 0;
  for (const line of lines.length < MIN_ROWS ? [] : lines) {
    if ((await readZoneRow(networks, text.image, line)) !== null) rows += 1;
  }
  return rows >= MIN_ROWS;
}

/**
 * Reads the zone around a row, then as much of the print as confirms it. Null if there is no verified zone, or print
 * of another document.
 */
async function readZoneFirst(
  networks: Networks,
  reader: MrzReader,
  { text, row }: { text: PageText; row: TextLine },
  today: string,
): Promise<RecognisedPage | null> {
  await runStage('line recognition', () => readNearRow(networks, text, row));
  const { zones } = await readZones(reader, text.listRead(), today);
  const [zone, second] = zones;
  if (zone === undefined || second !== undefined || !isVerifiedZone(zone.parsed)) return null;
  if (await showsOtherZone(networks, text, row)) return null;
  const read = await runStage('line recognition', () => readConfirmingPrint(text, zone));
  return { ...text.listRead(), read, zones };
}

/**
 * Reads one side of a document: its machine-readable zone first, in whatever direction, and then its print. Without a
 * verified zone all text is read, in the direction of the zone, if there is one, or of the text.
 */
export async function readPage(networks: Networks, raster: Raster, today: string): Promise<RecognisedPage> {
  const detected = await detectPageText(networks, raster, CARD_TEXT);
  const reader = new MrzReader(networks);
  const found = await findUprightRow(networks, detected);
  if (found !== null) {
    const text = new PageText(networks, detected, found.turn);
    const page = await readZoneFirst(networks, reader, { text, row: found.row }, today);
    if (page !== null) return page;
    const whole = await runStage('line recognition', () => text.readAll());
    const read = await readZones(reader, whole, today);
    if (read.zones.length > 0) return read;
  }
  return readZones(reader, await readText(networks, detected), today);
}

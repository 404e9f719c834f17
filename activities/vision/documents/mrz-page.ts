import type { Networks } from '../inference/sessions';
import type { Raster } from '../imaging/raster';
import { CARD_TEXT, findText, readLine } from '../text/page';
import type { Page, ReadLine } from '../text/page';
import { MrzReader } from './mrz-reader';
import type { FoundZone } from './mrz-reader';
import { isZoneLike } from './mrz-rows';

export interface ReadPage extends Page {
  read: ReadLine[];
  /** the zone read best, then that of another document in the same picture */
  zones: FoundZone[];
}

/** A second document's zone has at least this many rows that look like one. */
const MIN_ROWS = 2;

/** Lines that lie apart from a zone; what its rows or their surroundings hold belongs to it. */
function apart(lines: readonly ReadLine[], { rows, parts }: FoundZone): ReadLine[] {
  return lines.filter(
    (line) => !parts.includes(line) && rows.every(({ y, height }) => Math.abs(line.y - y) > 1.5 * height),
  );
}

/** Finds and reads all text of one side of a document, its machine-readable zone apart. */
export async function readPage(networks: Networks, raster: Raster, today: string): Promise<ReadPage> {
  const page = await findText(networks, raster, CARD_TEXT);
  const read: ReadLine[] = [];
  for (const line of page.lines) read.push(page.known.get(line) ?? (await readLine(networks, page.picture, line)));
  const reader = new MrzReader(networks);
  const zone = await reader.read(page.picture, read, today);
  if (zone === null) return { ...page, read, zones: [] };
  const others = apart(read, zone);
  const second = others.filter(isZoneLike).length < MIN_ROWS ? null : await reader.read(page.picture, others, today);
  return { ...page, read, zones: second === null ? [zone] : [zone, second] };
}

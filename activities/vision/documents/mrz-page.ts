import type { Networks } from '../inference/sessions';
import type { Raster } from '../imaging/raster';
import { findText, readLine } from '../text/page';
import type { Page, ReadLine } from '../text/page';
import { MrzReader } from './mrz-reader';
import type { FoundZone } from './mrz-reader';

export interface ReadPage extends Page {
  read: ReadLine[];
  zone: FoundZone | null;
}

/** Finds and reads all text of one side of a document, its machine-readable zone apart. */
export async function readPage(networks: Networks, raster: Raster, today: string): Promise<ReadPage> {
  const page = await findText(networks, raster);
  const read: ReadLine[] = [];
  for (const line of page.lines) read.push(page.known.get(line) ?? (await readLine(networks, page.picture, line)));
  const zone = await new MrzReader(networks).read(page.picture, read, today);
  return { ...page, read, zone };
}

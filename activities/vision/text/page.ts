import type { Networks } from '../inference/networks';
import { ImagePyramid } from '../imaging/image-pyramid';
import { turnRaster } from '../imaging/raster';
import type { Raster, Turn } from '../imaging/raster';
import { runStage } from '../inference/stages';
import { detectText } from './detector';
import type { TextLine } from './detector';
import { readAllScripts, readLine, resolveScripts } from './line-reader';
import type { LineReading, RecognisedLine } from './line-reader';

export interface Page {
  /** rotation that made the text upright */
  turn: Turn;
  image: ImagePyramid;
  lines: TextLine[];
  /** lines of any direction, in the image before rotation */
  detected: TextLine[];
  /** the text of `lines`, in the same order */
  read: RecognisedLine[];
}

/** A page in one orientation, with the lines that were read to find out whether it is upright. */
interface OrientedPage extends Omit<Page, 'read'> {
  probes: ReadonlyMap<TextLine, LineReading>;
}

/** Parameters of text detection for a kind of page. */
export interface TextSearch {
  /** longer side of the detector input, a multiple of 32 */
  detectionSide: number;
  /** if more lines are detected, the longest are kept */
  maxLines: number;
}

/** Identity documents; more lines than this belong to the surroundings. */
export const CARD_TEXT: TextSearch = { detectionSide: 1216, maxLines: 70 };
/** Letters: small print over a whole page. */
export const LETTER_TEXT: TextSearch = { detectionSide: 1536, maxLines: 140 };

/** Maps a line to the image rotated clockwise by `turn`; `width` and `height` are those before rotation. */
export function turnLine(line: TextLine, turn: Turn, width: number, height: number): TextLine {
  if (turn === 0) return line;
  const centre =
    turn === 90
      ? { x: height - line.y, y: line.x }
      : turn === 180
        ? { x: width - line.x, y: height - line.y }
        : { x: line.y, y: width - line.x };
  let angle = line.angle + (turn * Math.PI) / 180;
  while (angle >= (3 * Math.PI) / 4) angle -= Math.PI;
  return { ...line, ...centre, angle };
}

const isLevel = ({ angle }: TextLine): boolean => Math.abs(angle) < Math.PI / 4;

async function readLines(
  networks: Networks,
  image: ImagePyramid,
  lines: readonly TextLine[],
): Promise<Map<TextLine, LineReading>> {
  const read = new Map<TextLine, LineReading>();
  for (const line of lines) read.set(line, await readLine(networks, image, line));
  return read;
}

const computeMeanConfidence = (read: readonly RecognisedLine[]): number =>
  read.length === 0 ? 0 : read.reduce((sum, { confidence }) => sum + confidence, 0) / read.length;

/** Mean confidence of lines in any script. */
async function computeProbeConfidence(networks: Networks, { probes }: OrientedPage): Promise<number> {
  const read: RecognisedLine[] = [];
  for (const probe of probes.values()) read.push(await readAllScripts(networks, probe));
  return computeMeanConfidence(read);
}

/**
 * Lines that show which way up a page is: neither short nor as long as those of the MRZ, whose fillers are symmetric.
 */
function selectProbeLines(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const middling = long.filter(({ length, height }) => length < 16 * height);
  return (middling.length >= 3 ? middling : long).slice(0, 3);
}

/** The page turned by `turn`, with its level lines, a few of which are read. */
async function orientText(
  networks: Networks,
  raster: Raster,
  { image, detected }: { image: ImagePyramid; detected: TextLine[] },
  turn: Turn,
): Promise<OrientedPage> {
  const turned = turn === 0 ? image : new ImagePyramid(turnRaster(raster, turn));
  const lines = detected.map((line) => turnLine(line, turn, raster.width, raster.height)).filter(isLevel);
  return { turn, image: turned, lines, detected, probes: await readLines(networks, turned, selectProbeLines(lines)) };
}

/** Minimum mean confidence of upright text; text upside down scores far lower. */
const UPRIGHT_CONFIDENCE = 0.85;

/**
 * Detects the text of a document and the rotation that makes it upright: first by the direction of most text, then by
 * the confidence of a few long lines in both orientations.
 */
async function findText(
  networks: Networks,
  raster: Raster,
  { detectionSide, maxLines }: TextSearch,
): Promise<OrientedPage> {
  const image = new ImagePyramid(raster);
  const detected = (await runStage('text detection', () => detectText(networks, image, detectionSide)))
    .sort((a, b) => b.length - a.length)
    .slice(0, maxLines);
  const orientPage = (turn: Turn): Promise<OrientedPage> => orientText(networks, raster, { image, detected }, turn);
  const sumLengths = (lines: readonly TextLine[]): number => lines.reduce((sum, { length }) => sum + length, 0);
  const levelLength = sumLengths(detected.filter(isLevel));
  const firstTurn: Turn = levelLength >= sumLengths(detected) - levelLength ? 0 : 90;
  const page = await orientPage(firstTurn);
  const probes = [...page.probes.values()];
  if (probes.length === 0 || computeMeanConfidence(probes.map(({ read }) => read)) >= UPRIGHT_CONFIDENCE) return page;
  // Text of another script has a low confidence too until it is read in all scripts.
  const confidence = await computeProbeConfidence(networks, page);
  if (confidence >= UPRIGHT_CONFIDENCE) return page;
  const other = await orientPage(firstTurn === 0 ? 180 : 270);
  return (await computeProbeConfidence(networks, other)) > confidence ? other : page;
}

/** Reads all text of a page, turned upright. */
export const readText = (networks: Networks, raster: Raster, search: TextSearch): Promise<Page> =>
  runStage('line recognition', () => readPageText(networks, raster, search));

async function readPageText(networks: Networks, raster: Raster, search: TextSearch): Promise<Page> {
  return readOriented(networks, await findText(networks, raster, search));
}

async function readOriented(networks: Networks, { probes, ...page }: OrientedPage): Promise<Page> {
  const readings: LineReading[] = [];
  for (const line of page.lines) readings.push(probes.get(line) ?? (await readLine(networks, page.image, line)));
  return { ...page, read: await resolveScripts(networks, readings) };
}

/** Reads all text of a page again, turned by `turn` instead of as its text indicates. */
export const readTextTurned = (networks: Networks, raster: Raster, { detected }: Page, turn: Turn): Promise<Page> =>
  runStage('line recognition', async () => {
    const image = new ImagePyramid(raster);
    return readOriented(networks, await orientText(networks, raster, { image, detected }, turn));
  });

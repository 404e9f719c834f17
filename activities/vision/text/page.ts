import type { Networks } from '../inference/networks';
import { ImagePyramid } from '../imaging/image-pyramid';
import { turnRaster } from '../imaging/raster';
import type { Raster, Turn } from '../imaging/raster';
import { runStage } from '../inference/stages';
import { detectText } from './detector';
import type { TextLine } from './detector';
import { readAllScripts, readLine, resolveScripts } from './line-reader';
import type { LineReading, RecognisedLine, StripExtent } from './line-reader';

/** The text of a page. */
export interface Page {
  /** rotation that made the text upright */
  turn: Turn;
  image: ImagePyramid;
  lines: TextLine[];
  /** the text of those of `lines` that were read, in the same order */
  read: RecognisedLine[];
}

/** The text lines detected in an image, of any direction, longest first. */
export interface DetectedText {
  raster: Raster;
  image: ImagePyramid;
  detected: TextLine[];
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

/** The level lines of an image in one of its directions, each of which is read at most once. */
export class PageText {
  private readonly readings = new Map<TextLine, LineReading>();
  readonly image: ImagePyramid;
  readonly lines: TextLine[];

  /** @param turn rotation that makes the text upright */
  constructor(
    private readonly networks: Networks,
    { raster, image, detected }: DetectedText,
    readonly turn: Turn,
  ) {
    this.image = turn === 0 ? image : new ImagePyramid(turnRaster(raster, turn));
    this.lines = detected.map((line) => turnLine(line, turn, raster.width, raster.height)).filter(isLevel);
  }

  /**
   * Reads a line as Latin, Greek or Cyrillic.
   *
   * @param extent how its strip is extracted @default the whole line, in proportion
   */
  async read(line: TextLine, extent?: StripExtent): Promise<LineReading> {
    const reading = this.readings.get(line) ?? (await readLine(this.networks, this.image, line, extent));
    this.readings.set(line, reading);
    return reading;
  }

  /** What was read so far. */
  listRead(): Page {
    const { turn, image, lines } = this;
    return { turn, image, lines, read: lines.flatMap((line) => this.readings.get(line)?.read ?? []) };
  }

  /** The lines that were not read so far. */
  listUnread(): TextLine[] {
    return this.lines.filter((line) => !this.readings.has(line));
  }

  /** Reads all lines, in all scripts if some are clearly of another one. */
  async readAll(): Promise<Page> {
    const readings: LineReading[] = [];
    for (const line of this.lines) readings.push(await this.read(line));
    return { ...this.listRead(), read: await resolveScripts(this.networks, readings) };
  }
}

const computeMeanConfidence = (read: readonly RecognisedLine[]): number =>
  read.length === 0 ? 0 : read.reduce((sum, { confidence }) => sum + confidence, 0) / read.length;

/**
 * Lines that show which way up a page is: neither short nor as long as those of the MRZ, whose fillers are symmetric.
 */
function selectProbeLines(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const middling = long.filter(({ length, height }) => length < 16 * height);
  return (middling.length >= 3 ? middling : long).slice(0, 3);
}

/** Mean confidence of the probe lines of a page in any script. */
async function computeProbeConfidence(networks: Networks, page: PageText): Promise<number> {
  const read: RecognisedLine[] = [];
  for (const line of selectProbeLines(page.lines)) read.push(await readAllScripts(networks, await page.read(line)));
  return computeMeanConfidence(read);
}

/** Minimum mean confidence of upright text; text upside down scores far lower. */
const UPRIGHT_CONFIDENCE = 0.85;

/** Detects the text lines of an image. */
export const detectPageText = (
  networks: Networks,
  raster: Raster,
  { detectionSide, maxLines }: TextSearch,
): Promise<DetectedText> =>
  runStage('text detection', async () => {
    const image = new ImagePyramid(raster);
    const lines = await detectText(networks, image, detectionSide);
    return { raster, image, detected: lines.sort((a, b) => b.length - a.length).slice(0, maxLines) };
  });

/** The turn by which most text of an image is level: upright or upside down. */
export function findLevelTurn({ detected }: DetectedText): Turn {
  const sumLengths = (lines: readonly TextLine[]): number => lines.reduce((sum, { length }) => sum + length, 0);
  const levelLength = sumLengths(detected.filter(isLevel));
  return levelLength >= sumLengths(detected) - levelLength ? 0 : 90;
}

/**
 * Finds the rotation that makes the text of an image upright: first by the direction of most text, then by the
 * confidence of a few long lines in both orientations.
 */
async function orientText(networks: Networks, text: DetectedText): Promise<PageText> {
  const firstTurn = findLevelTurn(text);
  const page = new PageText(networks, text, firstTurn);
  const probes: RecognisedLine[] = [];
  for (const line of selectProbeLines(page.lines)) probes.push((await page.read(line)).read);
  if (probes.length === 0 || computeMeanConfidence(probes) >= UPRIGHT_CONFIDENCE) return page;
  // Text of another script has a low confidence too until it is read in all scripts.
  const confidence = await computeProbeConfidence(networks, page);
  if (confidence >= UPRIGHT_CONFIDENCE) return page;
  const other = new PageText(networks, text, firstTurn === 0 ? 180 : 270);
  return (await computeProbeConfidence(networks, other)) > confidence ? other : page;
}

/** Reads all text of an image, turned upright. */
export const readText = (networks: Networks, text: DetectedText): Promise<Page> =>
  runStage('line recognition', async () => (await orientText(networks, text)).readAll());

import type { Networks } from '../inference/networks';
import { ImagePyramid } from '../imaging/image-pyramid';
import { turnRaster } from '../imaging/raster';
import type { Raster, Turn } from '../imaging/raster';
import { detectText } from './detector';
import type { TextLine } from './detector';
import { decodeGreedily, extractLineStrip, recognise } from './recogniser';
import type { RecognisedCharacter } from './recogniser';

export interface RecognisedLine extends TextLine {
  text: string;
  /** mean certainty of the characters, 0–1 */
  confidence: number;
  characters: RecognisedCharacter[];
}

export interface Page {
  /** turn that made the text upright */
  turn: Turn;
  image: ImagePyramid;
  lines: TextLine[];
  /** lines read already, to find the turn */
  known: ReadonlyMap<TextLine, RecognisedLine>;
}

/** How text is looked for on a kind of page. */
export interface TextSearch {
  /** longest side the text detector sees, a multiple of 32 */
  detectionSide: number;
  /** beyond this many lines the longest are kept */
  maxLines: number;
}

/** An identity document: more lines than this are a table around it. */
export const CARD_TEXT: TextSearch = { detectionSide: 1216, maxLines: 70 };
/** A letter: small print over a whole page. */
export const LETTER_TEXT: TextSearch = { detectionSide: 1536, maxLines: 140 };

/** Reads one line as printed. */
export async function readLine(networks: Networks, image: ImagePyramid, line: TextLine): Promise<RecognisedLine> {
  const emissions = await recognise(networks, extractLineStrip(image, line));
  const characters = decodeGreedily(networks.dictionary, emissions);
  const confidence =
    characters.length === 0
      ? 0
      : characters.reduce((sum, character) => sum + character.confidence, 0) / characters.length;
  return { ...line, text: characters.map(({ text }) => text).join(''), confidence, characters };
}

/** A line of an image in the image turned clockwise by `turn`; `width` and `height` are those before the turn. */
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
): Promise<Map<TextLine, RecognisedLine>> {
  const read = new Map<TextLine, RecognisedLine>();
  for (const line of lines) read.set(line, await readLine(networks, image, line));
  return read;
}

const computeMeanConfidence = (read: ReadonlyMap<TextLine, RecognisedLine>): number =>
  read.size === 0 ? 0 : [...read.values()].reduce((sum, { confidence }) => sum + confidence, 0) / read.size;

/** Lines that tell which way up a page is: not too short, nor as long as the zone's, whose fillers read alike both ways. */
function selectProbeLines(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const middling = long.filter(({ length, height }) => length < 16 * height);
  return (middling.length >= 3 ? middling : long).slice(0, 3);
}

/** Certainty of text read the right way up; upside down it is far below. */
const UPRIGHT_CONFIDENCE = 0.85;

/**
 * Finds the text of a document and the quarter turn that makes it upright: by the direction of most text, then by how
 * certainly a few long lines read one way up and the other.
 */
export async function findText(
  networks: Networks,
  raster: Raster,
  { detectionSide, maxLines }: TextSearch,
): Promise<Page> {
  const image = new ImagePyramid(raster);
  const detected = (await detectText(networks, image, detectionSide))
    .sort((a, b) => b.length - a.length)
    .slice(0, maxLines);
  const sumLengths = (lines: readonly TextLine[]): number => lines.reduce((sum, { length }) => sum + length, 0);
  const levelLength = sumLengths(detected.filter(isLevel));
  const firstTurn: Turn = levelLength >= sumLengths(detected) - levelLength ? 0 : 90;
  const orientPage = (turn: Turn): Omit<Page, 'known'> => ({
    turn,
    image: turn === 0 ? image : new ImagePyramid(turnRaster(raster, turn)),
    lines: detected.map((line) => turnLine(line, turn, raster.width, raster.height)).filter(isLevel),
  });
  const page = orientPage(firstTurn);
  const known = await readLines(networks, page.image, selectProbeLines(page.lines));
  const confidence = computeMeanConfidence(known);
  if (known.size === 0 || confidence >= UPRIGHT_CONFIDENCE) return { ...page, known };
  const other = orientPage(firstTurn === 0 ? 180 : 270);
  const flipped = await readLines(networks, other.image, selectProbeLines(other.lines));
  return computeMeanConfidence(flipped) > confidence ? { ...other, known: flipped } : { ...page, known };
}

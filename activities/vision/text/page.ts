import type { Networks } from '../inference/sessions';
import { Picture } from '../imaging/picture';
import { turned } from '../imaging/raster';
import type { Raster, Turn } from '../imaging/raster';
import { detectText } from './detector';
import type { TextLine } from './detector';
import { decodeGreedily, lineStrip, recognise } from './recogniser';
import type { ReadCharacter } from './recogniser';

export interface ReadLine extends TextLine {
  text: string;
  /** mean certainty of the characters, 0–1 */
  confidence: number;
  characters: ReadCharacter[];
}

export interface Page {
  /** turn that made the text upright */
  turn: Turn;
  picture: Picture;
  lines: TextLine[];
  /** lines read already, to find the turn */
  known: ReadonlyMap<TextLine, ReadLine>;
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
export async function readLine(networks: Networks, picture: Picture, line: TextLine): Promise<ReadLine> {
  const emissions = await recognise(networks, lineStrip(picture, line));
  const characters = decodeGreedily(networks.dictionary, emissions);
  const confidence =
    characters.length === 0
      ? 0
      : characters.reduce((sum, character) => sum + character.confidence, 0) / characters.length;
  return { ...line, text: characters.map(({ text }) => text).join(''), confidence, characters };
}

/** A line of an image in the image turned clockwise by `turn`; `width` and `height` are those before the turn. */
export function turnedLine(line: TextLine, turn: Turn, width: number, height: number): TextLine {
  if (turn === 0) return line;
  const place =
    turn === 90
      ? { x: height - line.y, y: line.x }
      : turn === 180
        ? { x: width - line.x, y: height - line.y }
        : { x: line.y, y: width - line.x };
  let angle = line.angle + (turn * Math.PI) / 180;
  while (angle >= (3 * Math.PI) / 4) angle -= Math.PI;
  return { ...line, ...place, angle };
}

const isLevel = ({ angle }: TextLine): boolean => Math.abs(angle) < Math.PI / 4;

async function readAll(
  networks: Networks,
  picture: Picture,
  lines: readonly TextLine[],
): Promise<Map<TextLine, ReadLine>> {
  const read = new Map<TextLine, ReadLine>();
  for (const line of lines) read.set(line, await readLine(networks, picture, line));
  return read;
}

const meanConfidence = (read: ReadonlyMap<TextLine, ReadLine>): number =>
  read.size === 0 ? 0 : [...read.values()].reduce((sum, { confidence }) => sum + confidence, 0) / read.size;

/** Lines that tell which way up a page is: not too short, nor as long as the zone's, whose fillers read alike both ways. */
function probesOf(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const middling = long.filter(({ length, height }) => length < 16 * height);
  return (middling.length >= 3 ? middling : long).slice(0, 3);
}

/** Certainty of text read the right way up; upside down it is far below. */
const UPRIGHT = 0.85;

/**
 * Finds the text of a document and the quarter turn that makes it upright: by the direction of most text, then by how
 * certainly a few long lines read one way up and the other.
 */
export async function findText(
  networks: Networks,
  raster: Raster,
  { detectionSide, maxLines }: TextSearch,
): Promise<Page> {
  const picture = new Picture(raster);
  const detected = (await detectText(networks, picture, detectionSide))
    .sort((a, b) => b.length - a.length)
    .slice(0, maxLines);
  const total = (lines: readonly TextLine[]): number => lines.reduce((sum, { length }) => sum + length, 0);
  const level = total(detected.filter(isLevel));
  const first: Turn = level >= total(detected) - level ? 0 : 90;
  const at = (turn: Turn): Omit<Page, 'known'> => ({
    turn,
    picture: turn === 0 ? picture : new Picture(turned(raster, turn)),
    lines: detected.map((line) => turnedLine(line, turn, raster.width, raster.height)).filter(isLevel),
  });
  const page = at(first);
  const known = await readAll(networks, page.picture, probesOf(page.lines));
  const confidence = meanConfidence(known);
  if (known.size === 0 || confidence >= UPRIGHT) return { ...page, known };
  const other = at(first === 0 ? 180 : 270);
  const flipped = await readAll(networks, other.picture, probesOf(other.lines));
  return meanConfidence(flipped) > confidence ? { ...other, known: flipped } : { ...page, known };
}

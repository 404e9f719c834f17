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
  /** mean confidence of the characters, 0–1 */
  confidence: number;
  characters: RecognisedCharacter[];
}

export interface Page {
  /** rotation that made the text upright */
  turn: Turn;
  image: ImagePyramid;
  lines: TextLine[];
  /** lines already recognised in order to find the rotation */
  recognised: ReadonlyMap<TextLine, RecognisedLine>;
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

/** Recognises one line. */
export async function readLine(networks: Networks, image: ImagePyramid, line: TextLine): Promise<RecognisedLine> {
  const emissions = await recognise(networks, extractLineStrip(image, line));
  const characters = decodeGreedily(networks.dictionary, emissions);
  const confidence =
    characters.length === 0
      ? 0
      : characters.reduce((sum, character) => sum + character.confidence, 0) / characters.length;
  return { ...line, text: characters.map(({ text }) => text).join(''), confidence, characters };
}

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
): Promise<Map<TextLine, RecognisedLine>> {
  const read = new Map<TextLine, RecognisedLine>();
  for (const line of lines) read.set(line, await readLine(networks, image, line));
  return read;
}

const computeMeanConfidence = (read: ReadonlyMap<TextLine, RecognisedLine>): number =>
  read.size === 0 ? 0 : [...read.values()].reduce((sum, { confidence }) => sum + confidence, 0) / read.size;

/**
 * Lines that show which way up a page is: neither short nor as long as those of the MRZ, whose fillers are symmetric.
 */
function selectProbeLines(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const middling = long.filter(({ length, height }) => length < 16 * height);
  return (middling.length >= 3 ? middling : long).slice(0, 3);
}

/** Minimum mean confidence of upright text; text upside down scores far lower. */
const UPRIGHT_CONFIDENCE = 0.85;

/**
 * Detects the text of a document and the rotation that makes it upright: first by the direction of most text, then by
 * the confidence of a few long lines in both orientations.
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
  const orientPage = (turn: Turn): Omit<Page, 'recognised'> => ({
    turn,
    image: turn === 0 ? image : new ImagePyramid(turnRaster(raster, turn)),
    lines: detected.map((line) => turnLine(line, turn, raster.width, raster.height)).filter(isLevel),
  });
  const page = orientPage(firstTurn);
  const recognised = await readLines(networks, page.image, selectProbeLines(page.lines));
  const confidence = computeMeanConfidence(recognised);
  if (recognised.size === 0 || confidence >= UPRIGHT_CONFIDENCE) return { ...page, recognised };
  const other = orientPage(firstTurn === 0 ? 180 : 270);
  const flipped = await readLines(networks, other.image, selectProbeLines(other.lines));
  return computeMeanConfidence(flipped) > confidence ? { ...other, recognised: flipped } : { ...page, recognised };
}

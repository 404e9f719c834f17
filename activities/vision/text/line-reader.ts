import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Networks } from '../inference/networks';
import type { TextLine } from './detector';
import { decodeGreedily, extractLineStrip, recognise, recogniseAllScripts } from './recogniser';
import type { Emissions, Recognition, RecognisedCharacter } from './recogniser';

export interface RecognisedLine extends TextLine {
  text: string;
  /** mean confidence of the characters, 0–1 */
  confidence: number;
  characters: RecognisedCharacter[];
}

/** A line read as Latin, Greek or Cyrillic, with what is needed to read it as another script. */
export interface LineReading {
  read: RecognisedLine;
  recognition: Recognition;
}

function decodeLine(networks: Networks, line: TextLine, emissions: Emissions): RecognisedLine {
  const characters = decodeGreedily(networks.dictionary, emissions);
  const confidence =
    characters.length === 0
      ? 0
      : characters.reduce((sum, character) => sum + character.confidence, 0) / characters.length;
  return { ...line, text: characters.map(({ text }) => text).join(''), confidence, characters };
}

/**
 * Recognises one line.
 *
 * @param width width of the strip in pixels @default proportional to the line
 */
export async function readLine(
  networks: Networks,
  image: ImagePyramid,
  line: TextLine,
  width?: number,
): Promise<LineReading> {
  const recognition = await recognise(networks, extractLineStrip(image, line, width));
  return { read: decodeLine(networks, line, recognition), recognition };
}

/** The text of a line in any script of the dictionary. */
export const readAllScripts = async (networks: Networks, { read, recognition }: LineReading): Promise<RecognisedLine> =>
  decodeLine(networks, read, await recogniseAllScripts(networks, recognition));

/** Lines of other scripts are read as nothing or with a low confidence; the longest of these are read again. */
const DOUBTFUL_CONFIDENCE = 0.8;
const MAX_PROBES = 6;

/** Letters of other scripts that a page must contain with this confidence. */
const FOREIGN_LETTER_CONFIDENCE = 0.8;
const MIN_FOREIGN_LETTERS = 2;

/** The number of clear letters of scripts other than those of `recognition`. */
const countForeignLetters = ({ characters }: RecognisedLine, { classes }: Recognition): number =>
  characters.filter(
    ({ text, index, confidence }) =>
      index >= classes && confidence >= FOREIGN_LETTER_CONFIDENCE && /^\p{L}+$/u.test(text),
  ).length;

/**
 * The text of the lines of a page. If some lines that cannot be read as Latin, Greek or Cyrillic are clearly of another
 * script, every line is read in all scripts.
 */
export async function resolveScripts(networks: Networks, readings: readonly LineReading[]): Promise<RecognisedLine[]> {
  const probes = readings
    .filter(({ read }) => read.confidence < DOUBTFUL_CONFIDENCE && read.length > read.height)
    .sort((a, b) => b.read.length - a.read.length)
    .slice(0, MAX_PROBES);
  let letters = 0;
  for (const probe of probes) letters += countForeignLetters(await readAllScripts(networks, probe), probe.recognition);
  if (letters < MIN_FOREIGN_LETTERS) return readings.map(({ read }) => read);
  const lines: RecognisedLine[] = [];
  for (const reading of readings) lines.push(await readAllScripts(networks, reading));
  return lines;
}

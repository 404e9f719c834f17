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

/** How the strip of a line is extracted. */
export interface StripExtent {
  /** width of the strip of the whole line, pixels */
  width: number;
  /** end of the part that is read, 0–1 along the line */
  end: number;
  /** fillers of a zone that follow that part */
  fillers: number;
}

/** A line read as Latin, Greek or Cyrillic, with what is needed to read it as another script. */
export interface LineReading {
  read: RecognisedLine;
  recognition: Recognition;
  extent: StripExtent | undefined;
}

/** The part of a line from its start to `end`, 0–1. */
const cutLine = (line: TextLine, end: number): TextLine => ({
  ...line,
  x: line.x - ((1 - end) / 2) * line.length * Math.cos(line.angle),
  y: line.y - ((1 - end) / 2) * line.length * Math.sin(line.angle),
  length: line.length * end,
});

/** The fillers after the part of a line that was read, evenly spaced and without confidence. */
const listFillers = ({ end, fillers }: StripExtent): RecognisedCharacter[] =>
  Array.from({ length: fillers }, (_, index) => ({
    text: '<',
    index: -1,
    confidence: 0,
    at: end + ((1 - end) * (index + 0.5)) / fillers,
  }));

function decodeLine(
  networks: Networks,
  line: TextLine,
  emissions: Emissions,
  extent: StripExtent | undefined,
): RecognisedLine {
  const characters = decodeGreedily(networks.dictionary, emissions);
  const confidence =
    characters.length === 0
      ? 0
      : characters.reduce((sum, character) => sum + character.confidence, 0) / characters.length;
  const placed =
    extent === undefined
      ? characters
      : [...characters.map((one) => ({ ...one, at: one.at * extent.end })), ...listFillers(extent)];
  return { ...line, text: placed.map(({ text }) => text).join(''), confidence, characters: placed };
}

/**
 * Recognises one line.
 *
 * @param extent how its strip is extracted @default the whole line, in proportion
 */
export async function readLine(
  networks: Networks,
  image: ImagePyramid,
  line: TextLine,
  extent?: StripExtent,
): Promise<LineReading> {
  const strip =
    extent === undefined
      ? extractLineStrip(image, line)
      : extractLineStrip(image, cutLine(line, extent.end), 8 * Math.round((extent.width * extent.end) / 8));
  const recognition = await recognise(networks, strip);
  return { read: decodeLine(networks, line, recognition, extent), recognition, extent };
}

/** The text of a line in any script of the dictionary. */
export const readAllScripts = async (
  networks: Networks,
  { read, recognition, extent }: LineReading,
): Promise<RecognisedLine> => decodeLine(networks, read, await recogniseAllScripts(networks, recognition), extent);

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

import type { ModelUse } from '../../../domain/identity/biometrics/result';
import type { Networks } from '../inference/networks';
import type { Turn } from '../imaging/raster';
import type { RecognisedLine } from '../text/line-reader';
import { PageText } from '../text/page';
import type { DetectedText, Page } from '../text/page';
import type { RecognisedCharacter } from '../text/recogniser';
import { detectScript, extractScriptStrip } from './detect-script';
import { describeScriptModel, ScriptRecogniser, ScriptTimeoutError } from './tesseract';
import type { ScriptReading, ScriptWord } from './tesseract';

/** Lines with a lower confidence may be of another script. */
const DOUBTFUL_CONFIDENCE = 0.8;
/** Share of the length of all lines from which the page is examined for another script. */
const DOUBTFUL_SHARE = 0.3;
/** Lines from which a page is examined. */
const MIN_LINES = 4;
/** Wall-clock time for the pages of one letter, with detection; the attempt of a check has a minute. */
export const SCRIPT_TIME_MS = 45_000;

const isDoubtful = ({ confidence }: RecognisedLine): boolean => confidence < DOUBTFUL_CONFIDENCE;
const sumLengths = (lines: readonly RecognisedLine[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** Whether so much of a page cannot be read that it may be of another script. */
function mayBeOtherScript({ read }: Page): boolean {
  const doubtful = read.filter(isDoubtful);
  return doubtful.length >= MIN_LINES && sumLengths(doubtful) >= DOUBTFUL_SHARE * sumLengths(read);
}

/** Confidence from which the reading of the text recogniser remains, for digits and for words. */
const CLEAR_DIGITS = 0.9;
const CLEAR_WORDS = 0.95;

/** Gap between characters, in median distances, from which something unread is between them. */
const MAX_GAP = 2.5;
/** Distance of the middle of the characters from that of the line, as a share of its length. */
const MAX_OFFSET = 0.12;

const computePitch = (characters: readonly RecognisedCharacter[]): number => {
  const gaps = characters.slice(1).map(({ at }, index) => at - (characters[index]?.at ?? 0));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 1;
};

/** Whether the characters cover the line: the text recogniser drops letters of other scripts next to numbers. */
function coverLine(characters: readonly RecognisedCharacter[]): boolean {
  const [first, last] = [characters[0]?.at ?? 0, characters.at(-1)?.at ?? 0];
  const pitch = computePitch(characters);
  const isEven = characters.slice(1).every(({ at }, index) => at - (characters[index]?.at ?? 0) <= MAX_GAP * pitch);
  return isEven && Math.abs((first + last) / 2 - 0.5) <= MAX_OFFSET;
}

/** A line of digits is clear if it has nothing else; words have gaps between them. */
function isClear({ text, confidence, characters }: RecognisedLine): boolean {
  if (/\p{L}/u.test(text)) return confidence >= CLEAR_WORDS;
  return text !== '' && confidence >= CLEAR_DIGITS && coverLine(characters);
}

/** Minimum confidence of each character of a number. */
const CLEAR_CHARACTER = 0.8;
/** Distance by which the characters of a number may be outside its word, as a share of the line. */
const WORD_MARGIN = 0.02;
/** The same for characters that are in no other word: tesseract may have dropped the first or last digit. */
const DROPPED_MARGIN = 0.08;

const keepDigits = (text: string): string => text.replace(/\D/g, '');

const isWithin = (
  { at }: RecognisedCharacter,
  { from, to }: Pick<ScriptWord, 'from' | 'to'>,
  margin: number,
): boolean => at >= from - margin && at <= to + margin;

/**
 * The number that the text recogniser read with certainty at the place of a word of western digits, null if none.
 * Tesseract drops and confuses some of them with the data of some scripts.
 */
function findNumber(
  { text, from, to }: ScriptWord,
  others: readonly ScriptWord[],
  characters: readonly RecognisedCharacter[],
): string | null {
  if (!/^[\d\p{P}\p{S}]+$/u.test(text)) return null;
  const inside = characters.filter(
    (character) =>
      character.confidence >= CLEAR_CHARACTER &&
      /^[\d./:-]$/.test(character.text) &&
      (isWithin(character, { from, to }, WORD_MARGIN) ||
        (isWithin(character, { from, to }, DROPPED_MARGIN) && !others.some((other) => isWithin(character, other, 0)))),
  );
  const number = inside
    .map((character) => character.text)
    .join('')
    .replace(/^\D+|\D+$/g, '');
  const [own, other] = [keepDigits(text), keepDigits(number)];
  if (other.length < 2 || other.length < own.length) return null;
  // The separators of tesseract remain if the digits are the same.
  return other === own ? text : number + (/[,.;:]$/.exec(text)?.[0] ?? '');
}

/** Replaces words of western digits by what the text recogniser read at the same place. */
export function replaceNumbers(
  { text, words }: Pick<ScriptReading, 'text' | 'words'>,
  characters: readonly RecognisedCharacter[],
): { text: string; confidence: number } {
  let [result, position, sum] = ['', 0, 0];
  for (const word of words) {
    const number = findNumber(
      word,
      words.filter((other) => other !== word),
      characters,
    );
    sum += number === null ? word.confidence : Math.max(word.confidence, CLEAR_CHARACTER);
    const start = text.indexOf(word.text, position);
    if (start < 0) continue;
    result += text.slice(position, start) + (number ?? word.text);
    position = start + word.text.length;
  }
  return { text: result + text.slice(position), confidence: sum / Math.max(1, words.length) };
}

async function readLine(recogniser: ScriptRecogniser, page: Page, line: RecognisedLine): Promise<RecognisedLine> {
  if (isClear(line)) return line;
  const reading = await recogniser.readLine(extractScriptStrip(page.image, line));
  return reading.text === '' ? line : { ...line, ...replaceNumbers(reading, line.characters), characters: [] };
}

/** A page read with the data of another script. */
export interface ScriptPage extends Page {
  model: ModelUse;
}

/**
 * Reads a page again with tesseract if most of it is of a script that the text recogniser lacks. Lines that the text
 * recogniser read with certainty remain.
 *
 * @param detected the lines that the page was read from
 * @param deadline time of `performance.now()` by which it must be finished
 * @returns null if the page is of no such script, or if the time was exceeded
 */
export async function readOtherScript(
  networks: Networks,
  detected: DetectedText,
  page: Page,
  deadline: number,
): Promise<ScriptPage | null> {
  if (!mayBeOtherScript(page)) return null;
  try {
    const found = await detectScript(page.image, page.read.filter(isDoubtful), deadline);
    if (found === null) return null;
    const turn = ((page.turn + 180) % 360) as Turn;
    const upright = found.inverted ? await new PageText(networks, detected, turn).readAll() : page;
    const recogniser = await ScriptRecogniser.open(found.language, deadline);
    try {
      const read: RecognisedLine[] = [];
      for (const line of upright.read) read.push(await readLine(recogniser, upright, line));
      return { ...upright, read, model: await describeScriptModel(found.language) };
    } finally {
      await recogniser.close();
    }
  } catch (error) {
    if (error instanceof ScriptTimeoutError) return null;
    throw error;
  }
}

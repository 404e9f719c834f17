import type { TextLine } from '../text/detector';
import { ZONE_CHARACTERS } from '../text/forced-decoding';
import type { ForcedReading } from '../text/forced-decoding';
import type { RecognisedLine } from '../text/line-reader';

/** A character that the text recogniser read, folded to one of the zone. */
interface FoldedCharacter {
  character: string;
  confidence: number;
}

/** Confidence of the text recogniser from which its character counts. */
const MIN_CONFIDENCE = 0.8;

/** Factor by which disagreement lowers the confidence of a character: below what is accepted without another reading. */
const DISPUTED = 0.5;

/** Share of the characters other than fillers that the text recogniser must have read to be a second opinion. */
const MIN_SHARE = 0.7;

/** O and 0 have different shapes in OCR-B, which the text recogniser was not trained to tell apart. */
const ZEROS = 'O0';

/** The characters of the lines of a page that lie on a row, from its start to its end. */
export function listRowCharacters(
  row: TextLine,
  parts: readonly RecognisedLine[],
  foldTable: Int16Array,
): FoldedCharacter[] {
  const [cos, sin] = [Math.cos(row.angle), Math.sin(row.angle)];
  const onRow = parts.filter(({ x, y }) => Math.abs((y - row.y) * cos - (x - row.x) * sin) < 0.5 * row.height);
  return onRow
    .sort((a, b) => (a.x - b.x) * cos + (a.y - b.y) * sin)
    .flatMap(({ characters }) =>
      characters.flatMap(({ index, confidence }) => {
        const folded = foldTable[index] ?? -1;
        return folded >= 0 && folded < ZONE_CHARACTERS.length
          ? [{ character: ZONE_CHARACTERS.charAt(folded), confidence }]
          : [];
      }),
    );
}

/** The index in `second` that each character of `first` is aligned with, or −1: the fewest edits (Levenshtein). */
function align(first: string, second: readonly FoldedCharacter[]): Int16Array {
  const width = second.length + 1;
  const costs = new Uint16Array((first.length + 1) * width);
  for (let at = 0; at < width; at += 1) costs[at] = at;
  const cost = (i: number, j: number): number => costs[i * width + j] ?? 0;
  const replace = (i: number, j: number): number =>
    cost(i - 1, j - 1) + (first.charAt(i - 1) === second[j - 1]?.character ? 0 : 1);
  for (let i = 1; i <= first.length; i += 1) {
    costs[i * width] = i;
    for (let j = 1; j < width; j += 1) {
      costs[i * width + j] = Math.min(replace(i, j), cost(i - 1, j) + 1, cost(i, j - 1) + 1);
    }
  }
  const aligned = new Int16Array(first.length).fill(-1);
  for (let i = first.length, j = second.length; i > 0 && j > 0;) {
    if (cost(i, j) === replace(i, j)) {
      i -= 1;
      j -= 1;
      aligned[i] = j;
    } else if (cost(i, j) === cost(i - 1, j) + 1) i -= 1;
    else j -= 1;
  }
  return aligned;
}

/**
 * Compares a reading of a row with what the text recogniser read of it on the page: disagreement lowers the confidence
 * of a character. Fillers are no opinion, because the text recogniser drops and invents them, nor are characters that
 * are not allowed at their position.
 *
 * @param alphabets the allowed characters of each position
 * @returns the reading, and whether the text recogniser has read enough of the row to be a second opinion
 */
export function applySecondOpinion(
  reading: ForcedReading,
  opinion: readonly FoldedCharacter[],
  alphabets: readonly string[],
): { reading: ForcedReading; isConfirmedByPage: boolean } {
  const aligned = align(reading.text, opinion);
  let [values, compared] = [0, 0];
  const confidences = reading.confidences.map((confidence, position) => {
    const own = reading.text.charAt(position);
    const other = opinion[aligned[position] ?? -1];
    if (own !== '<') values += 1;
    if (other === undefined || other.character === '<') return confidence;
    if (own !== '<') compared += 1;
    const isAllowed = alphabets[position]?.includes(other.character) === true;
    const differs = other.character !== own && !(ZEROS.includes(own) && ZEROS.includes(other.character));
    const disputes = isAllowed && differs && other.confidence >= MIN_CONFIDENCE;
    return disputes ? confidence * DISPUTED : confidence;
  });
  return { reading: { ...reading, confidences }, isConfirmedByPage: compared >= MIN_SHARE * values };
}

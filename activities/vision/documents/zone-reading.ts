import { MRZ_LAYOUTS, buildPositionAlphabets } from '../../../domain/identity/documents/mrz/format';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { parseMrz } from '../../../domain/identity/documents/mrz/parse';
import type { ParsedMrz } from '../../../domain/identity/documents/mrz/parse';
import {
  cleanNameField,
  cleanSurnameField,
  clearIsolatedLetters,
  listLookalikes,
  findNearestState,
  computePlausibility,
  repairStateLetters,
} from '../../../domain/identity/documents/mrz/repair';
import { matchesNumberRule } from '../../../domain/identity/documents/mrz/state-rules';
import type { ForcedReading } from '../text/forced-decoding';

/** The result of a vote over one or more readings of a zone. */
export interface ZoneReading {
  parsed: ParsedMrz;
  /** confidence of each character of each line, 0–1 */
  confidences: number[][];
  /** whether one character was replaced */
  repaired: boolean;
  /** see `computePlausibility` */
  plausibility: number;
}

type Lines = readonly (readonly string[])[];

const joinLines = (lines: Lines): string[] => lines.map((line) => line.join(''));

/**
 * Votes per position over several readings of the same lines, weighted by the confidence of the character.
 *
 * @param readings readings of the whole zone, each with one entry per line
 */
export function vote(
  readings: readonly (readonly ForcedReading[])[],
  format: MrzFormat,
): {
  lines: string[][];
  confidences: number[][];
} {
  const { lineCount, lineLength } = MRZ_LAYOUTS[format];
  const lines: string[][] = [];
  const confidences: number[][] = [];
  for (let line = 0; line < lineCount; line += 1) {
    lines.push([]);
    confidences.push([]);
    for (let position = 0; position < lineLength; position += 1) {
      const votes = new Map<string, number>();
      let total = 0;
      for (const reading of readings) {
        const character = reading[line]?.text.charAt(position) ?? '<';
        const weight = 0.05 + (reading[line]?.confidences[position] ?? 0);
        votes.set(character, (votes.get(character) ?? 0) + weight);
        total += weight;
      }
      const [winner = '<', weight = 0] = [...votes].reduce<[string, number]>(
        (best, entry) => (entry[1] > best[1] ? entry : best),
        ['<', -1],
      );
      const confidence = readings.length === 1 ? (readings[0]?.[line]?.confidences[position] ?? 0) : weight / total;
      lines[line]?.push(winner);
      confidences[line]?.push(confidence);
    }
  }
  return { lines, confidences };
}

/** Replaces the characters from a position on. */
function replaceText(lines: string[][], line: number, start: number, text: string): void {
  [...text].forEach((character, index) => {
    const row = lines[line];
    if (row) row[start + index] = character;
  });
}

function cleanName(lines: string[][], format: MrzFormat): void {
  const { name, lastName } = MRZ_LAYOUTS[format].fields;
  const cleanField = (range: typeof name, clean: (field: string) => string): void => {
    if (range === undefined) return;
    const field = (lines[range.line] ?? []).slice(range.start, range.end).join('');
    replaceText(lines, range.line, range.start, clean(field));
  };
  cleanField(name, cleanNameField);
  cleanField(lastName, cleanSurnameField);
}

/** Replaces misread fillers in optional data, unless check digits verify that the letters are printed. */
function cleanOptionalData(lines: string[][], format: MrzFormat, today: string): void {
  const cleaned = lines.map((row) => [...row]);
  const { optional1, optional2 } = MRZ_LAYOUTS[format].fields;
  for (const range of [optional1, optional2]) {
    if (range === undefined) continue;
    const field = (lines[range.line] ?? []).slice(range.start, range.end).join('');
    replaceText(cleaned, range.line, range.start, clearIsolatedLetters(field));
  }
  const countVerified = (candidate: Lines): number =>
    parseMrz(joinLines(candidate), today, format)?.checkDigits.filter(({ valid }) => valid).length ?? 0;
  if (countVerified(cleaned) < countVerified(lines)) return;
  cleaned.forEach((row, index) => (lines[index] = row));
}

/** Replaces an unknown state code by the nearest known one; true if a character was replaced. */
function repairStates(lines: string[][], format: MrzFormat): boolean {
  const { issuingState, nationality } = MRZ_LAYOUTS[format].fields;
  if (issuingState === undefined || nationality === undefined) return false;
  const read = ({ line, start, end }: typeof issuingState): string => (lines[line] ?? []).slice(start, end).join('');
  const fix = (range: typeof issuingState, expected: string): boolean => {
    const code = repairStateLetters(read(range));
    replaceText(lines, range.line, range.start, code);
    const state = findNearestState(code, findNearestState(expected, null)?.replace(/<+$/, '') ?? null);
    if (state === null || state === code) return false;
    replaceText(lines, range.line, range.start, state);
    return true;
  };
  const issuer = fix(issuingState, read(nationality));
  // At most one character of a zone is ever replaced.
  return issuer || fix(nationality, read(issuingState));
}

/** Characters with this confidence or more are never replaced. */
const DOUBT_CONFIDENCE = 0.97;

interface Replacement {
  parsed: ParsedMrz;
  confidence: number;
}

/** The replacements whose document number has the form that its state uses, or all if none has. */
function preferKnownNumbers(found: readonly Replacement[]): Replacement[] {
  const isKnown = ({ parsed: { format, fields } }: Replacement): boolean =>
    matchesNumberRule(format, fields.issuingState, fields.documentNumber) === true;
  return found.some(isKnown) ? found.filter(isKnown) : [...found];
}

/**
 * Finds the one character whose replacement by a look-alike makes every check digit valid. Null if several replacements
 * are about equally likely: choosing one would be guessing.
 */
function repairCharacter(
  lines: string[][],
  confidences: number[][],
  parsed: ParsedMrz,
  today: string,
): ParsedMrz | null {
  const alphabets = buildPositionAlphabets(parsed.format);
  const { fields } = MRZ_LAYOUTS[parsed.format];
  const name = fields.name;
  const found: Replacement[] = [];
  lines.forEach((row, line) =>
    row.forEach((character, position) => {
      // Names are not covered by check digits, so a replacement there has no effect.
      if (name && line === name.line && position >= name.start && position < name.end) return;
      const confidence = confidences[line]?.[position] ?? 0;
      if (confidence >= DOUBT_CONFIDENCE) return;
      for (const other of listLookalikes(character)) {
        if (!alphabets[line]?.[position]?.includes(other)) continue;
        const changed = lines.map((copy) => [...copy]);
        replaceText(changed, line, position, other);
        const candidate = parseMrz(joinLines(changed), today, parsed.format);
        if (candidate?.valid) found.push({ parsed: candidate, confidence });
      }
    }),
  );
  const [first, second] = preferKnownNumbers(found).sort((a, b) => a.confidence - b.confidence);
  if (first === undefined || (second !== undefined && second.confidence < first.confidence + 0.1)) return null;
  return first.parsed;
}

/** Characters below this confidence may be O or 0, if all others are read with more. */
const CLEAR_CONFIDENCE = 0.9;

/**
 * Replaces O by 0 or the reverse where that one character is the only doubt and its replacement makes every check digit
 * valid: their shapes differ little, and their values always change a check digit. Null if it is not so.
 */
function resolveZero(lines: string[][], confidences: number[][], parsed: ParsedMrz, today: string): ParsedMrz | null {
  const alphabets = buildPositionAlphabets(parsed.format);
  const { name } = MRZ_LAYOUTS[parsed.format].fields;
  const doubts = lines.flatMap((row, line) =>
    row.flatMap((character, position) => {
      const isName = name !== undefined && line === name.line && position >= name.start && position < name.end;
      return isName || (confidences[line]?.[position] ?? 0) >= CLEAR_CONFIDENCE ? [] : [{ line, position, character }];
    }),
  );
  const [doubt, ...others] = doubts;
  if (doubt === undefined || others.length > 0) return null;
  const other = doubt.character === 'O' ? '0' : doubt.character === '0' ? 'O' : null;
  if (other === null || alphabets[doubt.line]?.[doubt.position]?.includes(other) !== true) return null;
  const changed = lines.map((row) => [...row]);
  replaceText(changed, doubt.line, doubt.position, other);
  const candidate = parseMrz(joinLines(changed), today, parsed.format);
  return candidate?.valid === true ? candidate : null;
}

/**
 * Combines readings into one zone: votes, removes characters not allowed in names, corrects state codes, and replaces
 * at most one character.
 *
 * @param mayRepair whether other characters than O and 0 may be replaced: false as long as further readings may follow
 */
export function resolveReadings(
  readings: readonly (readonly ForcedReading[])[],
  format: MrzFormat,
  today: string,
  mayRepair: boolean,
): ZoneReading | null {
  const { lines, confidences } = vote(readings, format);
  cleanName(lines, format);
  cleanOptionalData(lines, format, today);
  const stateRepaired = repairStates(lines, format);
  const parsed = parseMrz(joinLines(lines), today, format);
  if (parsed === null) return null;
  if (!parsed.valid && !stateRepaired) {
    const repaired =
      resolveZero(lines, confidences, parsed, today) ??
      (mayRepair ? repairCharacter(lines, confidences, parsed, today) : null);
    if (repaired !== null)
      return { parsed: repaired, confidences, repaired: true, plausibility: computePlausibility(repaired) };
  }
  return { parsed, confidences, repaired: stateRepaired, plausibility: computePlausibility(parsed) };
}

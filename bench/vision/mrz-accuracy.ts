import { roundTo } from '../report';

/** How a machine-readable zone was read, compared with its label. */
export interface ZoneOutcome {
  /** Whether the printed check digits are valid. */
  validPrint: boolean;
  exact: boolean;
  verifies: boolean;
  repaired: boolean;
  found: boolean;
  characters: number;
  wrongCharacters: number;
}

const countDifferences = (a: readonly string[], b: readonly string[]): number =>
  a.reduce(
    (sum, line, index) => sum + [...line].filter((character, at) => character !== b[index]?.charAt(at)).length,
    0,
  );

/** A row of labels: the file, the lines of its zone, and whether the printed check digits are valid. */
export interface ZoneLabel {
  file: string;
  expected: string[];
  validPrint: boolean;
}

/** @param row columns file, line1 to line3 and printed_check_digits_valid (yes or no) */
export function readZoneLabel(row: Readonly<Record<string, string>>): ZoneLabel {
  const { file = '', line1 = '', line2 = '', line3 = '', printed_check_digits_valid: valid = 'yes' } = row;
  return { file, expected: [line1, line2, line3].filter((line) => line !== ''), validPrint: valid === 'yes' };
}

/** @param read the lines read; empty if no zone was found */
export const compareZone = (
  { expected, validPrint }: ZoneLabel,
  read: readonly string[],
  { verifies, repaired }: { verifies: boolean; repaired: boolean },
): ZoneOutcome => ({
  validPrint,
  exact: expected.join() === read.join(),
  verifies,
  repaired,
  found: read.length > 0,
  characters: expected.join('').length,
  wrongCharacters: countDifferences(expected, read),
});

/** Counts of the documents whose printed check digits are valid, and of the others that were accepted. */
export function computeZoneAccuracy(outcomes: readonly ZoneOutcome[]): Record<string, number> {
  const judged = outcomes.filter(({ validPrint }) => validPrint);
  const count = (test: (outcome: ZoneOutcome) => boolean): number => judged.filter(test).length;
  const sum = (getValue: (outcome: ZoneOutcome) => number): number =>
    judged.reduce((total, outcome) => total + getValue(outcome), 0);
  return {
    documents: outcomes.length,
    withValidPrintedDigits: judged.length,
    found: count(({ found }) => found),
    exact: count(({ exact }) => exact),
    exactRate: roundTo(count(({ exact }) => exact) / judged.length),
    verifies: count(({ verifies }) => verifies),
    verifyRate: roundTo(count(({ verifies }) => verifies) / judged.length),
    wrongThoughVerifying: count(({ verifies, exact }) => verifies && !exact),
    repaired: count(({ repaired }) => repaired),
    exactOnInvalidPrint: outcomes.filter(({ validPrint, exact }) => !validPrint && exact).length,
    invalidPrintAcceptedAsValid: outcomes.filter(({ validPrint, verifies }) => !validPrint && verifies).length,
    characterErrorRate: roundTo(sum(({ wrongCharacters }) => wrongCharacters) / sum(({ characters }) => characters), 5),
  };
}

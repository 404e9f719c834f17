import type { Emissions } from './recogniser';

/** Characters of the machine-readable zone; the index of a character is its class. */
export const ZONE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
const CHARACTER_COUNT = ZONE_CHARACTERS.length;
const BLANK = CHARACTER_COUNT;
const CLASS_COUNT = CHARACTER_COUNT + 1;

/** Characters of the dictionary that stand for another character in the zone. */
const LOOKALIKES: Record<string, string> = {
  '«': '<',
  '‹': '<',
  '^': '<',
  '∧': '<',
  '〈': '<',
  '《': '<',
  '＜': '<',
  く: '<',
};

const tables = new WeakMap<readonly string[], Int16Array>();

/**
 * Maps every class of the dictionary to its MRZ class, or −1. Blank and space map to the CTC blank. The table of a
 * dictionary is computed once.
 */
export function foldDictionary(dictionary: readonly string[]): Int16Array {
  const existing = tables.get(dictionary);
  if (existing !== undefined) return existing;
  const table = Int16Array.from(dictionary, (entry, index) => {
    if (index === 0 || entry === ' ' || entry === '　') return BLANK;
    const folded = LOOKALIKES[entry] ?? entry.normalize('NFKC').toUpperCase();
    return folded.length === 1 ? ZONE_CHARACTERS.indexOf(folded) : -1;
  });
  tables.set(dictionary, table);
  return table;
}

/** Log probabilities of the MRZ characters and the blank, `CLASS_COUNT` values per step. */
export interface ZoneEmissions {
  steps: number;
  logs: Float32Array;
}

// The recogniser underestimates fillers and drops long runs of them, so fillers have a higher minimum probability.
const FLOOR = 1e-5;
const FILLER_FLOOR = 1e-3;

/** Sums the probabilities of all dictionary classes that fold to the same character. */
export function foldEmissions({ steps, classes, data }: Emissions, fold: Int16Array): ZoneEmissions {
  const logs = new Float32Array(steps * CLASS_COUNT);
  for (let step = 0; step < steps; step += 1) {
    const start = step * CLASS_COUNT;
    const blank = data[step * classes] ?? 0;
    logs[start + BLANK] = blank;
    // With a nearly certain blank, the probabilities of all other classes are below their minimum.
    for (let index = 1; blank < 1 - FLOOR && index < classes; index += 1) {
      const target = fold[index] ?? -1;
      if (target >= 0) logs[start + target] = (logs[start + target] ?? 0) + (data[step * classes + index] ?? 0);
    }
    for (let index = 0; index < CLASS_COUNT; index += 1) {
      const floor = index === CHARACTER_COUNT - 1 ? FILLER_FLOOR : FLOOR;
      logs[start + index] = Math.log(Math.max(floor, logs[start + index] ?? 0));
    }
  }
  return { steps, logs };
}

/** Lowest probability of the recogniser of zones: it may be certain of a character and wrong. */
const ZONE_FLOOR = 1e-4;

/** The output of the recogniser of zones, whose classes are the characters of the zone and the blank. */
export function toZoneEmissions(probabilities: Float32Array): ZoneEmissions {
  const logs = probabilities.map((probability) => Math.log(Math.max(ZONE_FLOOR, probability)));
  return { steps: logs.length / CLASS_COUNT, logs };
}

/** The most probable characters of a row of a zone. */
export interface GreedyReading {
  text: string;
  /** mean confidence of the characters, 0–1 */
  confidence: number;
  confidences: number[];
  /** position of each character along the strip, 0–1 */
  at: number[];
}

/** The most probable character of every step, without repeats and blanks. */
export function decodeZoneGreedily({ steps, logs }: ZoneEmissions): GreedyReading {
  let [text, previous, sum] = ['', BLANK, 0];
  const [confidences, at]: [number[], number[]] = [[], []];
  for (let step = 0; step < steps; step += 1) {
    const row = logs.subarray(step * CLASS_COUNT, (step + 1) * CLASS_COUNT);
    const best = row.reduce((top, value, index) => (value > (row[top] ?? 0) ? index : top), 0);
    if (best !== BLANK && best !== previous) {
      const confidence = Math.exp(row[best] ?? -Infinity);
      text += ZONE_CHARACTERS.charAt(best);
      sum += confidence;
      confidences.push(confidence);
      at.push((step + 0.5) / steps);
    }
    previous = best;
  }
  return { text, confidence: sum / Math.max(1, text.length), confidences, at };
}

export interface ForcedReading {
  text: string;
  /** mean log probability per step */
  score: number;
  /** confidence of each character, 0–1: its maximum share among all MRZ characters of a step */
  confidences: number[];
  /** centre of each character along the strip, 0–1 */
  at: number[];
}

/** Characters allowed at a position, and those accepted only if no allowed one fits. */
export interface PositionAlphabet {
  allowed: string;
  tolerated: string;
}

/**
 * Log probability by which a tolerated character must be better. A larger penalty would favour the minimum of a filler.
 */
const TOLERATED_PENALTY = 5;

/**
 * Log probability penalty by the squared distance, in pitches, of a character from its position on an evenly spaced
 * line. The zone is printed at a fixed pitch, so missing fillers are inserted where the line has gaps. The strip may
 * begin or end a few characters off, so the penalty is small and bounded.
 */
const DRIFT_PENALTY = 0.02;
const MAX_DRIFT = 4;

/**
 * Forced CTC decoding: the most probable path (Viterbi) that yields exactly one character per alphabet. The forced
 * length restores fillers that the recogniser dropped; an alphabet per position excludes letters from numeric
 * positions.
 *
 * @returns null if the strip has fewer steps than characters
 */
export function decodeForced(
  { steps, logs }: ZoneEmissions,
  alphabets: readonly PositionAlphabet[],
): ForcedReading | null {
  if (steps < alphabets.length) return null;
  const indices = (characters: string): number[] =>
    [...characters].map((character) => ZONE_CHARACTERS.indexOf(character)).filter((index) => index >= 0);
  const choices = alphabets.map(({ allowed, tolerated }) => [
    ...indices(allowed).map((character) => ({ character, penalty: 0 })),
    ...indices(tolerated).map((character) => ({ character, penalty: TOLERATED_PENALTY })),
  ]);
  const path = findBestPath(steps, logs, choices);
  return path === null ? null : readPath(path, steps, logs, alphabets.length);
}

interface Choice {
  character: number;
  penalty: number;
}

interface Path {
  /** position at each step, or −1 − position for the blank before that position */
  states: Int32Array;
  characters: Int32Array;
  score: number;
}

// States 0 … length are the blanks before each position (the last one after all positions), followed by
// position × CHARACTER_COUNT + character. A character follows the blank before it, itself, or another character at the
// previous position.
function findBestPath(steps: number, logs: Float32Array, choices: readonly (readonly Choice[])[]): Path | null {
  const length = choices.length;
  const blanks = length + 1;
  const states = blanks + length * CHARACTER_COUNT;
  let current = new Float64Array(states).fill(-Infinity);
  let next = new Float64Array(states);
  const back = new Int32Array(steps * states).fill(-1);
  current[0] = logs[BLANK] ?? -Infinity;
  for (const { character, penalty } of choices[0] ?? []) {
    current[blanks + character] = (logs[character] ?? -Infinity) - penalty;
  }
  for (let step = 1; step < steps; step += 1) {
    next.fill(-Infinity);
    const row = step * CLASS_COUNT;
    const from = step * states;
    const blankLog = logs[row + BLANK] ?? -Infinity;
    let [before, second] = [-1, -1];
    for (let position = 0; position <= length; position += 1) {
      // The blank before this position follows itself or any character of the previous position.
      const best = before >= 0 && (current[before] ?? 0) > (current[position] ?? 0) ? before : position;
      next[position] = (current[best] ?? -Infinity) + blankLog;
      back[from + position] = best;
      if (position === length) break;
      const drift = Math.min(MAX_DRIFT, Math.abs(((step + 0.5) / steps) * length - position - 0.5));
      const loss = DRIFT_PENALTY * drift * drift;
      let [top, runnerUp] = [-1, -1];
      for (const { character, penalty } of choices[position] ?? []) {
        const state = blanks + position * CHARACTER_COUNT + character;
        const own = current[state] ?? -Infinity;
        if (top < 0 || own > (current[top] ?? 0)) {
          runnerUp = top;
          top = state;
        } else if (runnerUp < 0 || own > (current[runnerUp] ?? 0)) runnerUp = state;
        let source = state;
        let value = own;
        if ((current[position] ?? -Infinity) > value) {
          source = position;
          value = current[position] ?? -Infinity;
        }
        // Directly after another character; a repeated character requires a blank in between.
        const other = before >= 0 && (before - blanks) % CHARACTER_COUNT === character ? second : before;
        if (other >= 0 && (current[other] ?? -Infinity) > value) {
          source = other;
          value = current[other] ?? -Infinity;
        }
        next[state] = value + (logs[row + character] ?? -Infinity) - penalty - loss;
        back[from + state] = source;
      }
      [before, second] = [top, runnerUp];
    }
    [current, next] = [next, current];
  }
  let end = length;
  for (const { character } of choices[length - 1] ?? []) {
    const state = blanks + (length - 1) * CHARACTER_COUNT + character;
    if ((current[state] ?? -Infinity) > (current[end] ?? -Infinity)) end = state;
  }
  const score = current[end] ?? -Infinity;
  if (!Number.isFinite(score)) return null;
  return { ...traceBack(back, steps, states, end, blanks), score };
}

function traceBack(back: Int32Array, steps: number, count: number, end: number, blanks: number): Omit<Path, 'score'> {
  const states = new Int32Array(steps);
  const characters = new Int32Array(steps).fill(-1);
  for (let step = steps - 1, state = end; step >= 0; step -= 1) {
    states[step] = state < blanks ? -1 - state : Math.floor((state - blanks) / CHARACTER_COUNT);
    if (state >= blanks) characters[step] = (state - blanks) % CHARACTER_COUNT;
    state = back[step * count + state] ?? 0;
  }
  return { states, characters };
}

function readPath(
  { states, characters, score }: Path,
  steps: number,
  logs: Float32Array,
  length: number,
): ForcedReading {
  const text = new Array<string>(length).fill('<');
  const confidences = new Array<number>(length).fill(0);
  const sums = new Array<number>(length).fill(0);
  const counts = new Array<number>(length).fill(0);
  for (let step = 0; step < steps; step += 1) {
    const position = states[step] ?? -1;
    const character = characters[step] ?? -1;
    if (position < 0 || character < 0) continue;
    text[position] = ZONE_CHARACTERS.charAt(character);
    sums[position] = (sums[position] ?? 0) + (step + 0.5) / steps;
    counts[position] = (counts[position] ?? 0) + 1;
    const own = Math.exp(logs[step * CLASS_COUNT + character] ?? -99);
    let all = 0;
    for (let index = 0; index < CHARACTER_COUNT; index += 1) all += Math.exp(logs[step * CLASS_COUNT + index] ?? -99);
    confidences[position] = Math.max(confidences[position] ?? 0, own / all);
  }
  return {
    text: text.join(''),
    score: score / steps,
    confidences,
    at: sums.map((sum, index) => sum / (counts[index] ?? 1)),
  };
}

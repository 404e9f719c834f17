import path from 'node:path';
import { ListIndexBuilder } from '../../domain/identity/aml/list-index';
import type { IndexedEntry } from '../../domain/identity/aml/list-index';
import { ListIndex } from '../../domain/identity/aml/list-search';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { getNameClass, prepareName } from '../../domain/identity/aml/names';
import type { NameClass } from '../../domain/identity/aml/names';
import { MATCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import { getCachedTokenSimilarity } from '../../domain/identity/aml/token-similarity';
import { readEntries } from './list-entries';
import { computeMatchAccuracy } from './match-accuracy';
import type { ScoredPair } from './match-accuracy';
import { createRandom } from '../random';
import { NAME_VARIANTS } from './name-variants';
import { report, roundTo } from '../report';

const SEED = 20_261_121;
/** Entries of each list that pairs are generated from; all of a smaller list. */
const SAMPLE = 2500;
/** Most similar other entries by the index that each entry is compared with. */
const NEIGHBOURS = 2;
/** Variants that are not generated of company names, in which every word is significant. */
const PERSON_ONLY_VARIANTS = new Set(['initial', 'shortened', 'reordered', 'joined']);

/** A pair of names from a list. */
export interface Pair extends ScoredPair {
  kind: string;
  name1: string;
  name2: string;
  script: string;
  nameClass: NameClass;
  /** Mistakes are printed for the first half of the entries; the other half is kept unseen. */
  half: 'first' | 'other';
}

const SCRIPTS = ['Arabic', 'Cyrillic', 'Han', 'Hangul', 'Hebrew', 'Greek'] as const;

const detectScript = (name: string): string =>
  SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? 'Latin';

const buildWordSet = (name: string, nameClass: NameClass): string =>
  prepareName(name, nameClass)
    .tokens.map(({ text }) => text)
    .sort()
    .join(' ');

const listNames = (entry: IndexedEntry): string[] => [entry.caption, ...entry.aliases.map(({ name }) => name)];

/** Whether two entries may be the same person: they share a name, a date of birth or a number. */
function mayBeSamePerson(a: IndexedEntry, b: IndexedEntry, nameClass: NameClass): boolean {
  const names = new Set(listNames(a).map((name) => buildWordSet(name, nameClass)));
  const numbers = new Set(a.identifiers.map(({ value }) => value));
  return (
    listNames(b).some((name) => names.has(buildWordSet(name, nameClass))) ||
    b.identifiers.some(({ value }) => numbers.has(value)) ||
    a.datesOfBirth.some((date) => date.length > 4 && b.datesOfBirth.includes(date))
  );
}

/**
 * Generates pairs from the entries of one list and scores them as the service does, with the list's own word weights.
 */
class PairGenerator {
  readonly pairs: Pair[] = [];
  private readonly index: ListIndex;
  private readonly random = createRandom(SEED);

  constructor(private readonly entries: readonly IndexedEntry[]) {
    const builder = new ListIndexBuilder();
    for (const entry of entries) builder.add(entry);
    this.index = new ListIndex(builder.build());
  }

  add(entry: IndexedEntry, half: Pair['half']): void {
    const nameClass = getNameClass(entry.type === 'unknown' ? 'company' : entry.type);
    const addPair = (kind: string, name1: string, name2: string, isMatch: boolean): void => {
      const queryName = prepareName(name1, nameClass);
      const listed = prepareName(name2, nameClass);
      const weights = { query: this.index.weighToken, listed: this.index.weighToken };
      const score = scoreNames(queryName, listed, weights, getCachedTokenSimilarity).score * 100;
      this.pairs.push({ kind, name1, name2, isMatch, score, script: detectScript(name1), nameClass, half });
    };
    for (const { name, weak } of entry.aliases) {
      if (!weak && buildWordSet(name, nameClass) !== buildWordSet(entry.caption, nameClass)) {
        addPair(detectScript(name) === 'Latin' ? 'alias' : 'other script', name, entry.caption, true);
      }
    }
    const words = entry.caption.split(/\s+/);
    for (const [kind, vary] of Object.entries(NAME_VARIANTS)) {
      if (nameClass !== 'person' && PERSON_ONLY_VARIANTS.has(kind)) continue;
      const variant = vary(words, this.random)?.join(' ');
      if (variant !== undefined && variant !== entry.caption) addPair(kind, variant, entry.caption, true);
    }
    for (const other of this.findNeighbours(entry, nameClass))
      addPair('neighbour', entry.caption, other.caption, false);
  }

  private findNeighbours(entry: IndexedEntry, nameClass: NameClass): IndexedEntry[] {
    const found = new Map<string, IndexedEntry>();
    for (const candidate of this.index.findCandidates(
      prepareName(entry.caption, nameClass),
      getCachedTokenSimilarity,
    )) {
      const other = this.entries[candidate.entry];
      if (other === undefined || other.id === entry.id || other.type !== entry.type || found.has(other.id)) continue;
      if (!mayBeSamePerson(entry, other, nameClass)) found.set(other.id, other);
      if (found.size === NEIGHBOURS) break;
    }
    return [...found.values()];
  }
}

const isCorrect = ({ isMatch, score }: Pair): boolean => isMatch === score >= MATCH_THRESHOLD;

/** Share of pairs classified correctly, by a property. */
const computeShares = (pairs: readonly Pair[], getKey: (pair: Pair) => string): Record<string, string> =>
  Object.fromEntries(
    [...new Set(pairs.map(getKey))].sort().map((key) => {
      const group = pairs.filter((pair) => getKey(pair) === key);
      return [key, `${roundTo(group.filter(isCorrect).length / group.length, 3)} of ${group.length}`];
    }),
  );

/** Generates pairs from the entries of watch lists: see {@link benchAmlListPairs}. */
export async function generateListPairs(files: readonly string[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const file of files) {
    const entries = await readEntries(file);
    const maker = new PairGenerator(entries);
    const step = Math.max(1, entries.length / SAMPLE);
    for (let at = 0; at < Math.min(entries.length, SAMPLE); at += 1) {
      const entry = entries[Math.floor(at * step)];
      if (entry !== undefined) maker.add(entry, at % 2 === 0 ? 'first' : 'other');
    }
    pairs.push(...maker.pairs);
  }
  return pairs;
}

/**
 * Pairs generated from the entries of watch lists: each name against its aliases and generated spelling variants
 * (matches), and against the most similar entries of other people (non-matches). Deterministic. Mistakes are printed
 * for half of the entries only, so that the other half remains a test set.
 *
 * @param printRows prints the mistakes in the first half
 */
export async function benchAmlListPairs(files: readonly string[], printRows: boolean): Promise<void> {
  const pairs = await generateListPairs(files);
  const first = pairs.filter(({ half }) => half === 'first');
  if (printRows) {
    const wrong = first.filter((pair) => !isCorrect(pair));
    for (const { kind, score, name1, name2 } of wrong) {
      console.log(JSON.stringify({ kind, score: roundTo(score, 1), name1, name2 }));
    }
  }
  const other = computeMatchAccuracy(
    pairs.filter(({ half }) => half === 'other'),
    MATCH_THRESHOLD,
  );
  report('aml-list-pairs', {
    lists: files.map((file) => path.basename(file)).join(', '),
    threshold: MATCH_THRESHOLD,
    ...computeMatchAccuracy(pairs, MATCH_THRESHOLD),
    'f1 first half': computeMatchAccuracy(first, MATCH_THRESHOLD).f1,
    'f1 other half': other.f1,
    ...computeShares(pairs, ({ kind, nameClass }) => `right: ${kind}, ${nameClass}`),
    ...computeShares(
      pairs.filter(({ isMatch }) => isMatch),
      ({ script }) => `right: ${script}`,
    ),
  });
}

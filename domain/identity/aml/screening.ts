import { corroborate } from './corroboration';
import type { ListedType } from './entry';
import { normaliseIdentifier } from './identifiers';
import type { IndexedEntry } from './list-index';
import type { ListIndex } from './list-search';
import { classOf, prepareName } from './names';
import type { NameClass } from './names';
import { scoreNames } from './name-score';
import type { Explanation, ScreeningQuery } from './query';
import { EFFECTS, LEAST_NAME_SCORE, MOST_HITS, WEAK_NAME_CEILING } from './thresholds';
import { knownSimilarity } from './token-similarity';

/** An entry that may be who was asked about. */
export interface Hit {
  entry: IndexedEntry;
  /** 0–100, to a tenth */
  score: number;
  /** name of the entry that fits best */
  matchedName: string;
  explanation: Explanation[];
}

interface NamedEntry {
  /** 0–100 */
  score: number;
  name: string;
  weak: boolean;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Kinds of names a question is read as. */
const classesAsked = (entityType: ScreeningQuery['entityType']): NameClass[] =>
  entityType === 'any' ? ['person', 'organisation'] : [classOf(entityType)];

const fitsType = (asked: ScreeningQuery['entityType'], listed: ListedType): boolean =>
  asked === 'any' || listed === 'unknown' || asked === listed;

/** A craft is read as a company is where the question leaves open what it is. */
const readAs = (nameClass: NameClass, listed: ListedType): boolean =>
  listed === 'unknown' ||
  classOf(listed) === nameClass ||
  (nameClass === 'organisation' && classOf(listed) === 'craft');

/** The best name of every entry that has a name like the one asked about. */
function namedEntries(query: ScreeningQuery, index: ListIndex): Map<number, NamedEntry> {
  const best = new Map<number, NamedEntry>();
  const weights = { query: index.rarity, listed: index.rarity };
  for (const nameClass of classesAsked(query.entityType)) {
    const asked = prepareName(query.fullName, nameClass);
    if (asked.tokens.length === 0) continue;
    for (const { entry, name, weak } of index.candidates(asked, knownSimilarity)) {
      const type = index.typeOf(entry);
      if (!fitsType(query.entityType, type) || !readAs(nameClass, type)) continue;
      const whole = scoreNames(asked, index.nameOf(name, nameClass), weights, knownSimilarity).score * 100;
      const score = weak ? Math.min(whole, WEAK_NAME_CEILING) : whole;
      if (score > (best.get(entry)?.score ?? 0)) best.set(entry, { score, name: index.nameText(name), weak });
    }
  }
  return best;
}

function documentPart(query: ScreeningQuery, entry: IndexedEntry, name: number): Explanation[] {
  const asked = query.documentNumber === undefined ? null : normaliseIdentifier(query.documentNumber);
  if (asked === null || query.documentNumber === undefined) return [];
  const listed = entry.identifiers.find(({ value }) => normaliseIdentifier(value) === asked);
  if (listed === undefined) return [];
  const goal = name >= LEAST_NAME_SCORE ? EFFECTS.documentWithName : EFFECTS.documentAlone;
  return [
    {
      part: 'document',
      weight: 1,
      queryValue: query.documentNumber,
      listValue: `${listed.type} ${listed.value}`,
      effect: tenth(Math.max(0, goal - name)),
    },
  ];
}

/** Brings the parts to a score of 0–100; what is cut off is a part too, so that they always add up. */
function withLimits(parts: readonly Explanation[]): { score: number; explanation: Explanation[] } {
  const sum = tenth(parts.reduce((total, { effect }) => total + effect, 0));
  const score = Math.min(100, Math.max(0, sum));
  const cut = tenth(score - sum);
  const limits: Explanation[] =
    cut === 0 ? [] : [{ part: 'limits', weight: 0, queryValue: null, listValue: null, effect: cut }];
  return { score: tenth(score), explanation: [...parts, ...limits] };
}

function judge(query: ScreeningQuery, entry: IndexedEntry, named: NamedEntry): Hit {
  const name = tenth(named.score);
  const nameParts: Explanation[] = [
    {
      part: named.weak ? 'weak_alias' : named.name === entry.caption ? 'name' : 'alias',
      weight: 1,
      queryValue: query.fullName,
      listValue: named.name,
      effect: name,
    },
  ];
  const document = documentPart(query, entry, name);
  const rest = corroborate(query, entry).map((part) =>
    // Agreement never makes one name another, nor disagreement a document someone else's.
    (part.effect > 0 && name < LEAST_NAME_SCORE) || (part.effect < 0 && document.length > 0)
      ? { ...part, effect: 0 }
      : part,
  );
  return { entry, matchedName: named.name, ...withLimits([...nameParts, ...rest, ...document]) };
}

/** How far disagreement elsewhere apart, the most that agreement can add to a name's score. */
const MOST_RAISED = EFFECTS.sameDateOfBirth + EFFECTS.sameCountry;

/**
 * Entries of one list that may be who is asked about, with scores from `threshold` (0–100) on, the highest first. An
 * entry with the document number asked about is found whatever its name.
 */
export function screenList(query: ScreeningQuery, index: ListIndex, threshold: number): Hit[] {
  const named = namedEntries(query, index);
  const documented = query.documentNumber === undefined ? [] : index.entriesWithIdentifier(query.documentNumber);
  for (const entry of documented) {
    if (named.has(entry) || !fitsType(query.entityType, index.typeOf(entry))) continue;
    named.set(entry, { score: 0, name: index.entry(entry).caption, weak: false });
  }
  const withDocument = new Set(documented);
  const hits: Hit[] = [];
  for (const [id, name] of named) {
    if (name.score < threshold - MOST_RAISED && !withDocument.has(id)) continue;
    const hit = judge(query, index.entry(id), name);
    if (hit.score >= threshold) hits.push(hit);
  }
  return hits.sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1)).slice(0, MOST_HITS);
}

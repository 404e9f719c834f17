import { roundToTenth } from '../../rounding';
import { corroborate } from './corroboration';
import type { ListedType } from './entry';
import { readAsKorean } from './hanja';
import { normaliseIdentifier } from './identifiers';
import type { IndexedEntry } from './list-index';
import type { ListIndex } from './list-search';
import { getNameClass, prepareName } from './names';
import type { NameClass, PreparedName } from './names';
import { scoreNames } from './name-score';
import type { Explanation, ScreeningQuery } from './query';
import { EFFECTS, MIN_NAME_SCORE, MAX_HITS, WEAK_NAME_CEILING } from './thresholds';
import { getCachedTokenSimilarity } from './token-similarity';

/** An entry that may be the queried subject. */
export interface Hit {
  entry: IndexedEntry;
  /** Score from 0 to 100, rounded to a tenth. */
  score: number;
  /** The listed name with the best score. */
  matchedName: string;
  explanation: Explanation[];
}

/** The better hit of each entry that was found under several names, best first. */
export function keepBestHits<T extends { entry: Pick<IndexedEntry, 'id'>; score: number }>(hits: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const hit of hits) if ((best.get(hit.entry.id)?.score ?? -1) < hit.score) best.set(hit.entry.id, hit);
  return [...best.values()].sort((a, b) => b.score - a.score);
}

interface NameMatch {
  /** Score from 0 to 100. */
  score: number;
  name: string;
  weak: boolean;
}

/** Name classes by which the query is parsed. */
const listQueryClasses = (entityType: ScreeningQuery['entityType']): NameClass[] =>
  entityType === 'any' ? ['person', 'organisation'] : [getNameClass(entityType)];

const fitsType = (requested: ScreeningQuery['entityType'], listed: ListedType): boolean =>
  requested === 'any' || listed === 'unknown' || requested === listed;

/** A vessel or aircraft is matched with the organisation class if the query does not state a type. */
const matchesNameClass = (nameClass: NameClass, listed: ListedType): boolean =>
  listed === 'unknown' ||
  getNameClass(listed) === nameClass ||
  (nameClass === 'organisation' && getNameClass(listed) === 'craft');

/** A queried name, and its Korean reading if it is written in Chinese characters. */
function prepareReadings(fullName: string, nameClass: NameClass): PreparedName[] {
  const korean = nameClass === 'person' ? readAsKorean(fullName) : null;
  return [prepareName(fullName, nameClass), ...(korean === null ? [] : [prepareName(korean, nameClass)])];
}

/** The best-scoring name of every entry with a name similar to the query. */
function findNameMatches(query: ScreeningQuery, index: ListIndex): Map<number, NameMatch> {
  const best = new Map<number, NameMatch>();
  const weights = { query: index.weighToken, listed: index.weighToken };
  for (const nameClass of listQueryClasses(query.entityType)) {
    for (const queryName of prepareReadings(query.fullName, nameClass)) {
      if (queryName.tokens.length === 0) continue;
      for (const { entry, name, weak } of index.findCandidates(queryName, getCachedTokenSimilarity)) {
        const type = index.getType(entry);
        if (!fitsType(query.entityType, type) || !matchesNameClass(nameClass, type)) continue;
        const listed = index.getPreparedName(name, nameClass);
        const whole = scoreNames(queryName, listed, weights, getCachedTokenSimilarity).score * 100;
        const score = weak ? Math.min(whole, WEAK_NAME_CEILING) : whole;
        if (score > (best.get(entry)?.score ?? 0)) best.set(entry, { score, name: index.getNameText(name), weak });
      }
    }
  }
  return best;
}

function explainDocument(query: ScreeningQuery, entry: IndexedEntry, nameScore: number): Explanation[] {
  const queryNumber = query.documentNumber === undefined ? null : normaliseIdentifier(query.documentNumber);
  if (queryNumber === null || query.documentNumber === undefined) return [];
  const listed = entry.identifiers.find(({ value }) => normaliseIdentifier(value) === queryNumber);
  if (listed === undefined) return [];
  const goal = nameScore >= MIN_NAME_SCORE ? EFFECTS.documentWithName : EFFECTS.documentAlone;
  return [
    {
      part: 'document',
      weight: 1,
      queryValue: query.documentNumber,
      listValue: `${listed.type} ${listed.value}`,
      effect: roundToTenth(Math.max(0, goal - nameScore)),
    },
  ];
}

/**
 * Limits the sum of the components to 0–100. The part cut off is a component of its own, so that the effects always add
 * up.
 */
function clampScore(parts: readonly Explanation[]): { score: number; explanation: Explanation[] } {
  const sum = roundToTenth(parts.reduce((total, { effect }) => total + effect, 0));
  const score = Math.min(100, Math.max(0, sum));
  const cut = roundToTenth(score - sum);
  const limits: Explanation[] =
    cut === 0 ? [] : [{ part: 'limits', weight: 0, queryValue: null, listValue: null, effect: cut }];
  return { score: roundToTenth(score), explanation: [...parts, ...limits] };
}

function buildHit(query: ScreeningQuery, entry: IndexedEntry, nameMatch: NameMatch): Hit {
  const nameScore = roundToTenth(nameMatch.score);
  const nameParts: Explanation[] = [
    {
      part: nameMatch.weak ? 'weak_alias' : nameMatch.name === entry.caption ? 'name' : 'alias',
      weight: 1,
      queryValue: query.fullName,
      listValue: nameMatch.name,
      effect: nameScore,
    },
  ];
  const document = explainDocument(query, entry, nameScore);
  const rest = corroborate(query, entry).map((part) =>
    // Matching facts do not make a different name match, nor do contradicting facts invalidate a matching document
    // number.
    (part.effect > 0 && nameScore < MIN_NAME_SCORE) || (part.effect < 0 && document.length > 0)
      ? { ...part, effect: 0 }
      : part,
  );
  return { entry, matchedName: nameMatch.name, ...clampScore([...nameParts, ...rest, ...document]) };
}

/** Maximum that matching facts can add to a name score, if no others contradict. */
const MAX_CORROBORATION = EFFECTS.sameDateOfBirth + EFFECTS.sameCountry;

/**
 * Entries of one list that may be the queried subject, with scores of at least `threshold` (0–100), best first. An
 * entry with the queried document number is found whatever its name.
 */
export function screenList(query: ScreeningQuery, index: ListIndex, threshold: number): Hit[] {
  const nameMatches = findNameMatches(query, index);
  const documented = query.documentNumber === undefined ? [] : index.findByIdentifier(query.documentNumber);
  for (const entry of documented) {
    if (nameMatches.has(entry) || !fitsType(query.entityType, index.getType(entry))) continue;
    nameMatches.set(entry, { score: 0, name: index.getEntry(entry).caption, weak: false });
  }
  const withDocument = new Set(documented);
  const hits: Hit[] = [];
  for (const [id, nameMatch] of nameMatches) {
    if (nameMatch.score < threshold - MAX_CORROBORATION && !withDocument.has(id)) continue;
    const hit = buildHit(query, index.getEntry(id), nameMatch);
    if (hit.score >= threshold) hits.push(hit);
  }
  return hits.sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1)).slice(0, MAX_HITS);
}

import type { Explanation } from '../aml/query';
import type { ListedType } from '../aml/entry';
import { MATCH_THRESHOLD, SESSION_MATCH_THRESHOLD } from '../aml/thresholds';
import { makeRisk } from './risks';
import type { Risk, Verdict } from './risks';

/** An entry of a watch list that may be the person of a session. */
export interface AmlResultHit {
  list: string;
  listVersion: string;
  entryId: string;
  entityType: ListedType;
  caption: string;
  matchedName: string;
  /** 0–100 */
  score: number;
  explanation: Explanation[];
  datesOfBirth: string[];
  countries: string[];
  programs: string[];
  positions: string[];
  sourceUrl: string | null;
  /** called a mistake before, of the same person and entry: it counts no more */
  falsePositive: boolean;
}

/** What the watch lists said of the person of a session. */
export interface AmlResult {
  status: Verdict;
  risks: Risk[];
  match: boolean;
  /** 0–100, of the best hit that counts */
  score: number;
  hits: AmlResultHit[];
  thresholds: { review: number; decline: number | null };
  listsSearched: { list: string; version: string; ageHours: number; stale: boolean }[];
}

/** Scores from which a session looks at a hit, and declines for it. */
export interface AmlLimits {
  review: number;
  decline: number;
}

/**
 * The risk of a score: a match from the decline limit on (which then declines) or, where a session sets none, from
 * {@link SESSION_MATCH_THRESHOLD} (which a reviewer looks at); a possible match from the review limit on.
 */
export function amlRisks(score: number, limits?: AmlLimits): Risk[] {
  const details = { score };
  if (limits !== undefined && score >= limits.decline) return [makeRisk('aml_match', { action: 'decline', details })];
  if (limits === undefined && score >= SESSION_MATCH_THRESHOLD) return [makeRisk('aml_match', { details })];
  return score >= (limits?.review ?? MATCH_THRESHOLD) ? [makeRisk('aml_possible_match', { details })] : [];
}

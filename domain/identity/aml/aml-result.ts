import type { Explanation } from './query';
import type { Gender, ListedIdentifier, ListedType } from './entry';
import type { AmlReviewStatus } from './review';
import { MATCH_THRESHOLD, SESSION_MATCH_THRESHOLD } from './thresholds';
import { makeRisk } from '../checks/risks';
import type { Risk, Verdict } from '../checks/risks';

/** An entry of a watch list that may be the person of a session. */
export interface AmlResultHit {
  /** a reviewer's word on it is given by this */
  id: string;
  list: string;
  listVersion: string;
  entryId: string;
  /** of what the list says of the entry: a reviewer's word holds until it changes */
  entryHash: string;
  entityType: ListedType;
  caption: string;
  matchedName: string;
  /** 0–100 */
  score: number;
  explanation: Explanation[];
  aliases: string[];
  datesOfBirth: string[];
  countries: string[];
  genders: Gender[];
  programs: string[];
  identifiers: ListedIdentifier[];
  positions: string[];
  addresses: string[];
  remarks: string | null;
  sourceUrl: string | null;
  /** instants, ISO 8601 */
  firstSeen: string;
  lastChanged: string;
  reviewStatus: AmlReviewStatus;
  review: { status: Exclude<AmlReviewStatus, 'unreviewed'>; reason: string; by: string; at: string } | null;
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
export function assessAmlRisks(score: number, limits?: AmlLimits): Risk[] {
  const details = { score };
  if (limits !== undefined && score >= limits.decline) return [makeRisk('aml_match', { action: 'decline', details })];
  if (limits === undefined && score >= SESSION_MATCH_THRESHOLD) return [makeRisk('aml_match', { details })];
  return score >= (limits?.review ?? MATCH_THRESHOLD) ? [makeRisk('aml_possible_match', { details })] : [];
}

/** The score of hits, 0–100: of the best that no reviewer has called a mistake. */
export const computeHitsScore = (hits: readonly Pick<AmlResultHit, 'score' | 'reviewStatus'>[]): number =>
  Math.max(0, ...hits.filter(({ reviewStatus }) => reviewStatus !== 'false_positive').map(({ score }) => score));

/** What was found, with hits that have been reviewed since: their score, and the risks that follow from it. */
export function applyReviewedHits(
  finding: Omit<AmlResult, 'risks' | 'status'>,
  risks: readonly Risk[],
  hits: AmlResultHit[],
): { finding: Omit<AmlResult, 'risks' | 'status'>; risks: Risk[] } {
  const score = computeHitsScore(hits);
  const others = risks.filter(({ code }) => code !== 'aml_match' && code !== 'aml_possible_match');
  return {
    finding: { ...finding, hits, score, match: score >= MATCH_THRESHOLD },
    risks: [...others, ...assessAmlRisks(score)],
  };
}

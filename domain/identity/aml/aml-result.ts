import type { Explanation } from './query';
import type { Gender, ListedIdentifier, ListedType } from './entry';
import type { AmlReviewStatus } from './review';
import { MATCH_THRESHOLD, SESSION_MATCH_THRESHOLD } from './thresholds';
import { buildRisk } from '../checks/risks';
import type { Risk, Verdict } from '../checks/risks';

/** An entry of a watch list that may be the person of a session. */
export interface AmlResultHit {
  /** Id of the hit, by which a reviewer decides on it. */
  id: string;
  list: string;
  listVersion: string;
  entryId: string;
  /** Hash of the entry's facts: a review holds until it changes. */
  entryHash: string;
  entityType: ListedType;
  caption: string;
  matchedName: string;
  /** Score from 0 to 100. */
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
  /** Instants, ISO 8601. */
  firstSeen: string;
  lastChanged: string;
  reviewStatus: AmlReviewStatus;
  review: { status: Exclude<AmlReviewStatus, 'unreviewed'>; reason: string; by: string; at: string } | null;
}

/** The review of a hit, as part of a result. */
export type HitReview = Pick<AmlResultHit, 'reviewStatus' | 'review'>;

/** Result of screening the person of a session against the watch lists. */
export interface AmlResult {
  status: Verdict;
  risks: Risk[];
  match: boolean;
  /** Score from 0 to 100 of the best hit that counts. */
  score: number;
  hits: AmlResultHit[];
  thresholds: { review: number; decline: number | null };
  listsSearched: { list: string; version: string; ageHours: number; stale: boolean }[];
}

/** Scores from which a hit sends a session to review, and from which it declines it. */
export interface AmlLimits {
  review: number;
  decline: number;
}

/**
 * The risk that follows from a score: a match from the decline limit on (which declines the session) or, if the session
 * sets no limit, from {@link SESSION_MATCH_THRESHOLD} on (which sends it to review); a possible match from the review
 * limit on.
 */
export function assessAmlRisks(score: number, limits?: AmlLimits): Risk[] {
  const details = { score };
  if (limits !== undefined && score >= limits.decline) return [buildRisk('aml_match', { action: 'decline', details })];
  if (limits === undefined && score >= SESSION_MATCH_THRESHOLD) return [buildRisk('aml_match', { details })];
  return score >= (limits?.review ?? MATCH_THRESHOLD) ? [buildRisk('aml_possible_match', { details })] : [];
}

/** The best score from 0 to 100 of the hits that no reviewer has marked as a false positive. */
export const computeHitsScore = (hits: readonly Pick<AmlResultHit, 'score' | 'reviewStatus'>[]): number =>
  Math.max(0, ...hits.filter(({ reviewStatus }) => reviewStatus !== 'false_positive').map(({ score }) => score));

/** The hits with the review of one of them. */
export const applyReview = (hits: readonly AmlResultHit[], hitId: string, review: HitReview): AmlResultHit[] =>
  hits.map((hit) => (hit.id === hitId ? { ...hit, ...review } : hit));

/** The result with reviewed hits: its score and risks are computed again. */
export function applyReviewedHits(
  finding: Omit<AmlResult, 'risks' | 'status'>,
  risks: readonly Risk[],
  hits: AmlResultHit[],
): { finding: Omit<AmlResult, 'risks' | 'status'>; risks: Risk[] } {
  const score = computeHitsScore(hits);
  const others = risks.filter(({ code }) => code !== 'aml_match' && code !== 'aml_possible_match');
  return {
    finding: { ...finding, hits, score, match: score >= finding.thresholds.review },
    risks: [...others, ...assessAmlRisks(score)],
  };
}

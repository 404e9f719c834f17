import { MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import { assessAmlRisks, computeHitsScore } from '../../../domain/identity/aml/aml-result';
import type { AmlResult, AmlResultHit, HitReview } from '../../../domain/identity/aml/aml-result';
import { buildRisk, computeVerdict } from '../../../domain/identity/checks/risks';
import { newId } from '../../../lib/ids';
import type { AmlReview } from '../../../models/identity/aml/aml-hit';
import type { ListHit } from './completion';
import type { UsableList } from './lists';

/** The review of a hit as part of a result. */
export const toReviewFields = (review: AmlReview | null): HitReview => ({
  reviewStatus: review?.status ?? 'unreviewed',
  review: review === null ? null : { ...review, at: review.at.toISOString() },
});

function buildResultHit({ entry, list, matchedName, score, explanation }: ListHit): AmlResultHit {
  const { id: entryId, type: entityType, aliases, hash: entryHash, listedOn: _listedOn, ...stated } = entry;
  return {
    ...stated,
    id: newId('hit'),
    list: list.list,
    listVersion: list.version,
    entryId,
    entryHash,
    entityType,
    matchedName,
    score,
    explanation,
    aliases: aliases.map(({ name }) => name),
    ...toReviewFields(null),
  };
}

/**
 * Builds the result of a screening from the hits, evaluated by the default limits and without earlier reviews, which
 * apply when it is recorded.
 */
export function buildAmlResult(lists: readonly UsableList[], found: readonly ListHit[]): AmlResult {
  const hits = found.map(buildResultHit);
  const score = computeHitsScore(hits);
  const stale = lists.filter((list) => list.stale).map(({ list }) => list);
  const risks = [
    ...assessAmlRisks(score),
    ...(stale.length === 0 ? [] : [buildRisk('aml_list_stale', { details: { lists: stale.join(', ') } })]),
  ];
  return {
    status: computeVerdict(risks),
    risks,
    match: score >= MATCH_THRESHOLD,
    score,
    hits,
    thresholds: { review: MATCH_THRESHOLD, decline: null },
    listsSearched: lists.map(({ list, version, ageHours, stale: old }) => ({ list, version, ageHours, stale: old })),
  };
}

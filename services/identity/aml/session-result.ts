import { MATCH_THRESHOLD } from '../../../domain/aml/thresholds';
import { amlRisks } from '../../../domain/identity/aml-result';
import type { AmlResult, AmlResultHit } from '../../../domain/identity/aml-result';
import { makeRisk, verdictOf } from '../../../domain/identity/risks';
import type { ListHit } from './completion';
import type { UsableList } from './lists';

/** What the lists found, as the result of a session's check, judged by the service's own limits. */
export function amlResultOf(
  lists: readonly UsableList[],
  found: readonly ListHit[],
  isFalsePositive: (hit: ListHit) => boolean,
): AmlResult {
  const hits = found.map((hit): AmlResultHit => {
    const { entry, list } = hit;
    return {
      list: list.list,
      listVersion: list.version,
      entryId: entry.id,
      entityType: entry.type,
      caption: entry.caption,
      matchedName: hit.matchedName,
      score: hit.score,
      explanation: hit.explanation,
      datesOfBirth: entry.datesOfBirth,
      countries: entry.countries,
      programs: entry.programs,
      positions: entry.positions,
      sourceUrl: entry.sourceUrl,
      falsePositive: isFalsePositive(hit),
    };
  });
  const score = Math.max(0, ...hits.filter((hit) => !hit.falsePositive).map((hit) => hit.score));
  const stale = lists.filter((list) => list.stale).map(({ list }) => list);
  const risks = [
    ...amlRisks(score),
    ...(stale.length === 0 ? [] : [makeRisk('aml_list_stale', { details: { lists: stale.join(', ') } })]),
  ];
  return {
    status: verdictOf(risks),
    risks,
    match: score >= MATCH_THRESHOLD,
    score,
    hits,
    thresholds: { review: MATCH_THRESHOLD, decline: null },
    listsSearched: lists.map(({ list, version, ageHours, stale: old }) => ({ list, version, ageHours, stale: old })),
  };
}

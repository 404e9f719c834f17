import type { AmlResultHit } from '../../../domain/identity/aml/aml-result';
import type { Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { buildListIdLookup } from './result-hits';
import { toReviewFields } from './session-result';
import { buildEntryKey, findPreviousReviews } from './subjects';
import type { SubjectKeys } from './subjects';

/**
 * The hits of a result with the latest reviews of the same entries, in the transaction that completes the screening.
 * @param keys of the subject, one for each of its names
 */
export async function applyEarlierReviews(
  unit: UnitOfWork,
  scope: Scope,
  keys: readonly SubjectKeys[],
  hits: readonly AmlResultHit[],
): Promise<AmlResultHit[]> {
  const reviews = await findPreviousReviews(unit, scope, keys);
  const getListId = await buildListIdLookup(unit, hits);
  return hits.map((hit) => {
    const review = reviews.get(buildEntryKey(getListId(hit), hit.entryId, hit.entryHash)) ?? null;
    return { ...hit, ...toReviewFields(review) };
  });
}

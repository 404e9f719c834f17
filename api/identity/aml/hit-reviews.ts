import type { HitReview } from '../../../domain/identity/aml/aml-result';
import { readActors } from '../../../services/platform/access/actors';
import { findActorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';

type NamedReview = NonNullable<HitReview['review']> & { byName: string | null };

interface NamedHitReview {
  reviewStatus: HitReview['reviewStatus'];
  review: NamedReview | null;
}

/** Current names of the reviewers of hits. */
export async function readReviewers(
  organisationId: string,
  hits: readonly { review: { by: string } | null }[],
): Promise<ActorNames> {
  const { names } = await readActors(
    organisationId,
    hits.flatMap(({ review }) => (review === null ? [] : [review.by])),
  );
  return names;
}

/** The review of a hit with the name of its reviewer. */
export const presentHitReview = ({ reviewStatus, review }: HitReview, names: ActorNames): NamedHitReview => ({
  reviewStatus,
  review: review === null ? null : { ...review, byName: findActorName(names, review.by) },
});

/** Hits of a result with the names of their reviewers. */
export const presentResultHits = <H extends HitReview>(
  hits: readonly H[],
  names: ActorNames,
): (Omit<H, keyof HitReview> & NamedHitReview)[] => hits.map((hit) => ({ ...hit, ...presentHitReview(hit, names) }));

import { readActors } from '../../platform/access/actors';
import type { Platform, Scope } from '../../platform/platform';
import { findEffectiveResult, getSessionDetail } from './session-details';
import type { SessionDetail } from './session-details';

export interface ReviewedSession extends SessionDetail {
  /** Current names of the actors of reviews, of the session and of hits, and of notes; deleted ones are not among them. */
  actorNames: ReadonlyMap<string, string>;
}

/**
 * A session with all results so far and the names of its reviewers, for the API: workers do not read users.
 * @throws AppError 404
 */
export async function getReviewedSession(platform: Platform, scope: Scope, id: string): Promise<ReviewedSession> {
  const detail = await getSessionDetail(platform, scope, id);
  const { reviews, notes } = detail.session;
  const hits = findEffectiveResult(detail, 'aml_screening')?.hits ?? [];
  const hitReviews = hits.flatMap(({ review }) => (review === null ? [] : [review]));
  const { names } = await readActors(
    scope.organisationId,
    [...reviews, ...(notes ?? []), ...hitReviews].map(({ by }) => by),
  );
  return { ...detail, actorNames: names };
}

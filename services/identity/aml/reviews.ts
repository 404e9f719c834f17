import { notFoundError } from '../../../domain/errors';
import { applyReview, applyReviewedHits } from '../../../domain/identity/aml/aml-result';
import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml/aml-hit';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import { Check, isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { amendCheck } from '../checks/check-results';
import { applyReviewToKyb } from '../kyb/hits';
import { excludeFalsePositives } from './completion';
import { lockReviews } from './review-locks';
import { toReviewFields } from './session-result';

/** The hits that were evaluated again, with the result. */
export type EvaluatedHits = Pick<AmlResult, 'match' | 'score' | 'hits'>;

/** Where a reviewed hit was found: in a screening, or in a check with its new evaluation. */
export type ReviewedHit = { of: 'screening'; screeningId: string } | { of: 'check'; evaluated: EvaluatedHits };

/**
 * Evaluates the screening of a hit again. Of two reviews at the same time each sees only its own, so that one of them has
 * to be repeated: the number of reviews makes their writes conflict, also where the result stays as it is.
 * @returns false if the hit belongs to no screening
 */
async function judgeScreening(unit: UnitOfWork, hit: AmlHitRecord): Promise<boolean> {
  const options = { session: unit.mongoSession };
  const filter = { ...toScope(hit), screeningId: hit.screeningId };
  const hits = excludeFalsePositives(await AmlHit.find(filter, {}, options).lean<AmlHitRecord[]>());
  const judged = await AmlScreening.updateOne(
    { _id: hit.screeningId, ...toScope(hit), deletedAt: null },
    {
      $set: { match: hits.length > 0, score: Math.max(0, ...hits.map(({ score }) => score)) },
      $inc: { reviews: 1 },
    },
    options,
  );
  return judged.matchedCount > 0;
}

/** Evaluates the check of a session again with the review of its hit. @throws AppError 404 */
async function judgeCheck(unit: UnitOfWork, hit: AmlHitRecord): Promise<EvaluatedHits> {
  const check = await Check.findOne({ _id: hit.screeningId, ...toScope(hit), deletedAt: null })
    .session(unit.mongoSession)
    .lean<CheckRecord>();
  if (check === null || !isCheckOfKind(check, 'aml_screening') || check.result === null) throw notFoundError('hit');
  const hits = applyReview(check.result.hits, hit._id, toReviewFields(hit.review));
  return amendCheck(unit, 'aml_screening', check, applyReviewedHits(check.result, check.risks, hits));
}

/** Evaluates the record of a hit again: a screening, a business check or the check of a session. @throws AppError 404 */
async function judgeRecord(unit: UnitOfWork, hit: AmlHitRecord): Promise<ReviewedHit> {
  if (await judgeScreening(unit, hit)) return { of: 'screening', screeningId: hit.screeningId };
  const review = toReviewFields(hit.review);
  const company = await applyReviewToKyb(unit, hit, hit.screeningId, { id: hit._id, review });
  return { of: 'check', evaluated: company ?? (await judgeCheck(unit, hit)) };
}

/**
 * Records a review of a hit. It applies to the same subject and entry until either changes, also in screenings that are
 * completed at the same time; the screening, the check of the session or the business check of the hit is evaluated
 * again.
 *
 * @throws AppError 404
 */
export const reviewHit = (
  platform: Platform,
  scope: Scope,
  actor: string,
  hitId: string,
  decision: Pick<AmlReview, 'status' | 'reason'>,
): Promise<ReviewedHit> =>
  runTransaction(platform, async (unit) => {
    const review: AmlReview = { ...decision, by: actor, at: platform.clock.now() };
    const hit = await AmlHit.findOneAndUpdate(
      { _id: hitId, ...toScope(scope) },
      { $set: { review } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<AmlHitRecord>();
    if (hit === null) throw notFoundError('hit');
    await lockReviews(unit, scope, [hit]);
    const reviewed = await judgeRecord(unit, hit);
    await unit.audit(scope, {
      actor,
      action: `aml_hit.${decision.status}`,
      subject: hitId,
      fields: ['review'],
    });
    return reviewed;
  });

import { notFound } from '../../../domain/errors';
import { AmlHit } from '../../../models/identity/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml-hit';
import { AmlScreening } from '../../../models/identity/aml-screening';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/unit-of-work';
import { scopeOf } from '../session-store';
import { standing } from './completion';

/**
 * Records a reviewer's word on a hit, which counts for the same subject and entry from then on, until either changes;
 * the screening it belongs to is judged anew.
 *
 * @throws AppError 404
 */
export const reviewHit = (
  platform: Platform,
  scope: Scope,
  actor: string,
  hitId: string,
  word: Pick<AmlReview, 'status' | 'reason'>,
): Promise<AmlHitRecord> =>
  transact(platform, async (unit) => {
    const of = { session: unit.session };
    const review: AmlReview = { ...word, by: actor, at: platform.clock.now() };
    const mine = { _id: hitId, ...scopeOf(scope) };
    const hit = await AmlHit.findOneAndUpdate(
      mine,
      { $set: { review } },
      { ...of, returnDocument: 'after' },
    ).lean<AmlHitRecord>();
    if (hit === null) throw notFound('hit');
    const hits = standing(
      await AmlHit.find({ ...scopeOf(scope), screeningId: hit.screeningId }, {}, of).lean<AmlHitRecord[]>(),
    );
    const judged = await AmlScreening.updateOne(
      { _id: hit.screeningId, ...scopeOf(scope), deletedAt: null },
      { $set: { match: hits.length > 0, score: Math.max(0, ...hits.map(({ score }) => score)) } },
      of,
    );
    if (judged.matchedCount === 0) throw notFound('hit');
    await unit.audit(scope, {
      actor,
      action: `aml_hit.${word.status}`,
      subject: hitId,
      fields: ['review'],
    });
    return hit;
  });

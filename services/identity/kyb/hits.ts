import type { HitReview } from '../../../domain/identity/aml/aml-result';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { concludeKyb } from '../../../domain/identity/kyb/conclusion';
import { applyPartyReview, evaluateHits, evaluateParties } from '../../../domain/identity/kyb/screening';
import type { KybScreening, Party, PartyScreening } from '../../../domain/identity/kyb/screening';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { applyEarlierReviews } from '../aml/earlier-reviews';
import { insertResultHits } from '../aml/result-hits';
import { computeSubjectKeys } from '../aml/subjects';
import type { SubjectKeys } from '../aml/subjects';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * The keys by which reviews of a party are found, one for each of its names, in their order. Its own hits have the
 * first: a review of an entry applies to the party, whichever of its names was found.
 */
export async function computePartyKeys(
  platform: Platform,
  scope: Scope,
  [first, ...others]: Party['queries'],
): Promise<[SubjectKeys, ...SubjectKeys[]]> {
  const compute = (query: ScreeningQuery): Promise<SubjectKeys> => computeSubjectKeys(platform, scope, query);
  return [await compute(first), ...(await Promise.all(others.map(compute)))];
}

/** The screening of a business check with earlier reviews of its hits, in the transaction that completes the check. */
export async function applyEarlierPartyReviews(unit: UnitOfWork, check: KybCheckRecord): Promise<KybScreening | null> {
  const { screening = null } = check;
  if (screening?.status !== 'completed') return screening;
  const parties: PartyScreening[] = [];
  for (const party of screening.parties) {
    const [first, ...others] = party.subject?.queries ?? [];
    if (first === undefined || party.hits.length === 0) parties.push(party);
    else {
      const keys = await computePartyKeys(unit.platform, check, [first, ...others]);
      const hits = await applyEarlierReviews(unit, check, keys, party.hits);
      parties.push({ ...party, ...evaluateHits(hits) });
    }
  }
  return { ...screening, parties };
}

/** Records the hits of a business check, each for its party, in the transaction that completes the check. */
export async function recordPartyHits(
  unit: UnitOfWork,
  check: KybCheckRecord,
  screening: KybScreening | null,
): Promise<void> {
  if (screening?.status !== 'completed') return;
  const hits = screening.parties.flatMap(({ subject, hits: found }) =>
    subject === undefined ? [] : found.map((hit) => ({ hit, keys: { subjectKey: subject.key, personKey: null } })),
  );
  await insertResultHits(unit.platform, unit, { ...check, recordId: check._id }, hits);
}

/**
 * Evaluates a business check again with the review of one of its hits: the party, its risks and the status.
 * @returns null if there is no such check
 */
export async function applyReviewToKyb(
  unit: UnitOfWork,
  scope: Scope,
  kybId: string,
  hit: { id: string; review: HitReview },
): Promise<Pick<PartyScreening, 'match' | 'score' | 'hits'> | null> {
  const filter = { _id: kybId, ...toScope(scope), deletedAt: null };
  const check = await KybCheck.findOne(filter).session(unit.mongoSession).lean<KybCheckRecord>();
  if (check?.screening?.status !== 'completed') return null;
  const screening = applyPartyReview(check.screening, hit.id, hit.review);
  const { status, risks } = concludeKyb(check.query, check.sources, screening);
  await KybCheck.updateOne(filter, { $set: { screening, status, risks } }, { session: unit.mongoSession });
  return evaluateParties(screening.parties);
}

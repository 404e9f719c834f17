import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import type { Risk } from '../../../domain/identity/checks/risks';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord } from '../../../models/identity/aml/aml-hit';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckContext } from '../checks/contextual-risks';
import { toScope } from '../sessions/session-store';
import { computeSubjectKeys } from './subjects';

/** Maps versions to list ids; the fictional list, which has no record, is identified by its code. */
async function buildListIdLookup(
  { hits }: AmlResult,
  { unit }: CheckContext,
): Promise<(hit: AmlResult['hits'][number]) => string> {
  const versions = await AmlListVersion.find(
    { _id: { $in: hits.map(({ listVersion }) => listVersion) } },
    { listId: 1 },
  )
    .session(unit.mongoSession)
    .lean<Pick<AmlListVersionRecord, '_id' | 'listId'>[]>();
  const byVersion = new Map(versions.map(({ _id, listId }) => [_id, listId]));
  return ({ list, listVersion }) => byVersion.get(listVersion) ?? list;
}

/**
 * Records the hits of a session's check, so that a review also applies to the next session of the same person. They
 * raise no risks in addition to those of the result.
 */
export async function recordSessionHits(result: AmlResult, context: CheckContext): Promise<Risk[]> {
  const { platform, unit, check, session } = context;
  if (result.hits.length === 0 || !isCheckOfKind(check, 'aml_screening') || check.details === null) return [];
  const keys = await computeSubjectKeys(platform, check, check.details, session?.externalId ?? null);
  const getListId = await buildListIdLookup(result, context);
  const rows = result.hits.map((hit): AmlHitRecord => ({
    _id: hit.id,
    ...toScope(check),
    screeningId: check._id,
    recordId: check.recordId,
    ...keys,
    listId: getListId(hit),
    entryId: hit.entryId,
    entryHash: hit.entryHash,
    score: hit.score,
    // An earlier review is stored with the hit on which it was made.
    review: null,
    createdAt: platform.clock.now(),
  }));
  await AmlHit.insertMany(rows, { session: unit.mongoSession });
  return [];
}

import type { AmlResultHit } from '../../../domain/identity/aml/aml-result';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord } from '../../../models/identity/aml/aml-hit';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { SubjectKeys } from './subjects';

/** What the row of a hit has of it; its details stay in the result. */
type HitSource = Pick<AmlResultHit, 'id' | 'list' | 'listVersion' | 'entryId' | 'entryHash' | 'score'>;

/** A hit of a result with the keys of its subject. */
export interface SubjectHit {
  hit: HitSource;
  keys: SubjectKeys;
}

/** Maps versions to list ids; the fictional list, which has no record, is identified by its code. */
export async function buildListIdLookup(
  unit: Pick<UnitOfWork, 'mongoSession'>,
  hits: readonly HitSource[],
): Promise<(hit: HitSource) => string> {
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
 * Records the hits of a check, which keeps their details in its result, so that they can be reviewed and a review is
 * remembered.
 * @param check a check of a session or a business check; `recordId` is the record whose erasure removes the hits
 */
export async function insertResultHits(
  platform: Platform,
  unit: Pick<UnitOfWork, 'mongoSession'>,
  check: Scope & { _id: string; recordId: string },
  hits: readonly SubjectHit[],
): Promise<void> {
  if (hits.length === 0) return;
  const getListId = await buildListIdLookup(
    unit,
    hits.map(({ hit }) => hit),
  );
  const rows = hits.map(({ hit, keys }): AmlHitRecord => ({
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
}

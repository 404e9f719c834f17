import type { AmlHitRecord } from '../../../models/identity/aml/aml-hit';
import type { Scope } from '../../platform/platform';
import { openHash } from '../../platform/evidence/blind-index';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * Makes the transaction conflict with every other one that reviews or completes a screening of one of these subjects. If
 * two run at the same time, one is repeated, and then sees what the other wrote.
 *
 * Subjects share counters by the first byte of their hashes: counters are not erased, and one for each subject would
 * remain as a trace of it.
 */
export async function lockReviews(
  unit: UnitOfWork,
  { organisationId, mode }: Scope,
  keys: readonly Pick<AmlHitRecord, 'subjectKey' | 'personKey'>[],
): Promise<void> {
  const stored = keys.flatMap(({ subjectKey, personKey }) =>
    personKey === null ? [subjectKey] : [subjectKey, personKey],
  );
  const hashes = await Promise.all(stored.map((key) => openHash(unit.platform, organisationId, key)));
  const groups = new Set(hashes.map((hash) => hash?.toString('hex', 0, 1) ?? ''));
  for (const group of [...groups].sort()) {
    await reserveNumberInTransaction(unit.mongoSession, organisationId, `aml-reviews.${mode}.${group}`);
  }
}

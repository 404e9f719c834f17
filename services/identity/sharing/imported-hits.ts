import { newId } from '../../../lib/ids';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { insertResultHits } from '../aml/result-hits';
import { computeImportedSubjectKeys } from '../aml/subjects';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** The check with new ids of its hits: those of the share belong to records of its owner. */
export function renewHitIds(check: CheckRecord): CheckRecord {
  if (!isCheckOfKind(check, 'aml_screening') || check.result === null) return check;
  return {
    ...check,
    result: { ...check.result, hits: check.result.hits.map((hit) => ({ ...hit, id: newId('hit') })) },
  };
}

/** Records the hits of imported checks, so that the importing organisation can review them. */
export async function insertImportedHits(unit: UnitOfWork, checks: readonly CheckRecord[]): Promise<void> {
  for (const check of checks) {
    if (!isCheckOfKind(check, 'aml_screening') || check.result === null) continue;
    const keys = await computeImportedSubjectKeys(unit.platform, check);
    await insertResultHits(
      unit.platform,
      unit,
      check,
      check.result.hits.map((hit) => ({ hit, keys })),
    );
  }
}

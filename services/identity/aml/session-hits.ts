import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import type { Risk } from '../../../domain/identity/checks/risks';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckContext } from '../checks/contextual-risks';
import { insertResultHits } from './result-hits';
import { computeSubjectKeys } from './subjects';

/**
 * Records the hits of a session's check, so that a review also applies to the next session of the same person. They
 * raise no risks in addition to those of the result.
 */
export async function recordSessionHits(result: AmlResult, context: CheckContext): Promise<Risk[]> {
  const { platform, unit, check, session } = context;
  if (result.hits.length === 0 || !isCheckOfKind(check, 'aml_screening') || check.details === null) return [];
  const keys = await computeSubjectKeys(platform, check, check.details, session?.externalId ?? null);
  await insertResultHits(
    platform,
    unit,
    check,
    result.hits.map((hit) => ({ hit, keys })),
  );
  return [];
}

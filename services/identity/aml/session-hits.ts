import { applyReviewedHits } from '../../../domain/identity/aml/aml-result';
import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import type { Risk } from '../../../domain/identity/checks/risks';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckContext } from '../checks/contextual-risks';
import { applyEarlierReviews } from './earlier-reviews';
import { insertResultHits } from './result-hits';
import { computeSubjectKeys } from './subjects';

/** The result of a session's check with earlier reviews of its hits, in the transaction that completes the check. */
export async function applySessionReviews(result: AmlResult, context: CheckContext): Promise<AmlResult> {
  const { unit, check, session } = context;
  if (result.hits.length === 0 || !isCheckOfKind(check, 'aml_screening') || check.details === null) return result;
  // The result of a sandbox value does not depend on other checks.
  if (check.sandbox !== null) return result;
  const keys = await computeSubjectKeys(unit.platform, check, check.details, session?.externalId ?? null);
  const hits = await applyEarlierReviews(unit, check, [keys], result.hits);
  const { finding, risks } = applyReviewedHits(result, result.risks, hits);
  return { ...result, ...finding, risks };
}

/**
 * Records the hits of a session's check, so that a review also applies to the next session of the same person. They
 * raise no risks in addition to those of the result.
 */
export async function recordSessionHits(result: AmlResult, context: CheckContext): Promise<Risk[]> {
  const { unit, check, session } = context;
  if (result.hits.length === 0 || !isCheckOfKind(check, 'aml_screening') || check.details === null) return [];
  const keys = await computeSubjectKeys(unit.platform, check, check.details, session?.externalId ?? null);
  await insertResultHits(
    unit.platform,
    unit,
    check,
    result.hits.map((hit) => ({ hit, keys })),
  );
  return [];
}

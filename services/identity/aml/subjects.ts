import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml/aml-hit';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { createBlindIndex, listStoredForms } from '../../platform/evidence/blind-index';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { lockReviews } from './review-locks';

/**
 * Keys by which a subject is recognised: values of a blind index of the organisation, meaningless outside it.
 */
export type SubjectKeys = Pick<AmlHitRecord, 'subjectKey' | 'personKey'>;

const normaliseText = (value: string | undefined): string =>
  (value ?? '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Computes the keys of a subject: equal queries denote the same subject. If the organisation has its own id for the
 * person, an equal name and date of birth suffice, so that a new passport does not make another subject.
 */
export async function computeSubjectKeys(
  platform: Platform,
  scope: Scope,
  query: ScreeningQuery,
  externalId: string | null = null,
): Promise<SubjectKeys> {
  const index = await createBlindIndex(platform, scope, 'aml-subjects');
  const hashParts = (parts: readonly (string | undefined)[]): string =>
    index.compute(JSON.stringify(parts.map(normaliseText)));
  const { fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender } = query;
  return {
    subjectKey: hashParts([fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender]),
    personKey: externalId === null ? null : hashParts(['person', externalId, fullName, dateOfBirth]),
  };
}

/**
 * Computes the keys of the subject of an imported check. A share does not state what was screened, so the subject is
 * known to be the same only within the check: a review of its hits applies to no other.
 */
export async function computeImportedSubjectKeys(
  platform: Platform,
  check: Scope & { _id: string },
): Promise<SubjectKeys> {
  const index = await createBlindIndex(platform, check, 'aml-subjects');
  return { subjectKey: index.compute(JSON.stringify(['imported', check._id])), personKey: null };
}

/** Selects the rows of the same subject, whichever wrapping key encrypts their key. */
export const buildKeyCondition = async (
  platform: Platform,
  { organisationId }: Scope,
  key: string,
): Promise<{ $in: string[] }> => ({ $in: await listStoredForms(platform, organisationId, key) });

/** Identifies an entry in its current state: a review holds until the entry changes. */
export const buildEntryKey = (listId: string, entryId: string, entryHash: string): string =>
  JSON.stringify([listId, entryId, entryHash]);

/**
 * The latest reviews of hits of a subject, by entry. A review that commits at the same time as the transaction is among
 * them, or comes after it.
 * @param keys of the subject, one for each of its names
 */
export async function findPreviousReviews(
  unit: UnitOfWork,
  scope: Scope,
  keys: readonly SubjectKeys[],
): Promise<Map<string, AmlReview>> {
  await lockReviews(unit, scope, keys);
  const buildFilters = async ({ subjectKey, personKey }: SubjectKeys) => [
    { subjectKey: await buildKeyCondition(unit.platform, scope, subjectKey) },
    ...(personKey === null ? [] : [{ personKey: await buildKeyCondition(unit.platform, scope, personKey) }]),
  ];
  const subjectFilter = (await Promise.all(keys.map(buildFilters))).flat();
  const reviewed = await AmlHit.find({ ...toScope(scope), $or: subjectFilter, review: { $ne: null } })
    .sort({ 'review.at': 1 })
    .session(unit.mongoSession)
    .lean<AmlHitRecord[]>();
  const reviews = new Map<string, AmlReview>();
  for (const { listId, entryId, entryHash, review } of reviewed) {
    if (review !== null) reviews.set(buildEntryKey(listId, entryId, entryHash), review);
  }
  return reviews;
}

import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml/aml-hit';
import type { Platform, Scope } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import { toScope } from '../sessions/session-store';

/**
 * Keys by which a subject is recognised. They are hashed with the organisation's key, so that they are meaningless
 * outside it.
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
  const cipher = await createRecordCipher(platform, scope, `aml-subjects.${scope.organisationId}.${scope.mode}`);
  const hashParts = (parts: readonly (string | undefined)[]): string =>
    cipher.computeLookupKey(JSON.stringify(parts.map(normaliseText)));
  const { fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender } = query;
  return {
    subjectKey: hashParts([fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender]),
    personKey: externalId === null ? null : hashParts(['person', externalId, fullName, dateOfBirth]),
  };
}

/** Identifies an entry in its current state: a review holds until the entry changes. */
export const buildEntryKey = (listId: string, entryId: string, entryHash: string): string =>
  JSON.stringify([listId, entryId, entryHash]);

/** The latest reviews of hits of a subject, by entry. @param keys of the subject, one for each of its names */
export async function findPreviousReviews(scope: Scope, keys: readonly SubjectKeys[]): Promise<Map<string, AmlReview>> {
  const subjectFilter = keys.flatMap(({ subjectKey, personKey }) => [
    { subjectKey },
    ...(personKey === null ? [] : [{ personKey }]),
  ]);
  const reviewed = await AmlHit.find({ ...toScope(scope), $or: subjectFilter, review: { $ne: null } })
    .sort({ 'review.at': 1 })
    .lean<AmlHitRecord[]>();
  const reviews = new Map<string, AmlReview>();
  for (const { listId, entryId, entryHash, review } of reviewed) {
    if (review !== null) reviews.set(buildEntryKey(listId, entryId, entryHash), review);
  }
  return reviews;
}

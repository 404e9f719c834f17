import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml/aml-hit';
import type { Platform, Scope } from '../../platform/platform';
import { recordCipher } from '../../platform/evidence/record-cipher';
import { scopeOf } from '../sessions/session-store';

/** By what a subject is known again. The keys are the tenant's, so that the hashes tell nothing outside it. */
export type SubjectKeys = Pick<AmlHitRecord, 'subjectKey' | 'personKey'>;

const plain = (value: string | undefined): string =>
  (value ?? '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * The keys of a subject: spelled alike in everything, it is the same one. Where the organisation has an id of its own
 * for the person, the same name and date of birth are enough, so that a new passport makes nobody someone else.
 */
export async function subjectKeysOf(
  platform: Platform,
  scope: Scope,
  query: ScreeningQuery,
  externalId: string | null = null,
): Promise<SubjectKeys> {
  const cipher = await recordCipher(platform, scope, `aml-subjects.${scope.organisationId}.${scope.mode}`);
  const keyOf = (parts: readonly (string | undefined)[]): string => cipher.lookUpKey(JSON.stringify(parts.map(plain)));
  const { fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender } = query;
  return {
    subjectKey: keyOf([fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender]),
    personKey: externalId === null ? null : keyOf(['person', externalId, fullName, dateOfBirth]),
  };
}

/** Names an entry as it is now: a review of it holds until it changes. */
export const entryKey = (listId: string, entryId: string, entryHash: string): string =>
  JSON.stringify([listId, entryId, entryHash]);

/** What reviewers last said of hits on this subject, by entry. */
export async function rememberedReviews(
  scope: Scope,
  { subjectKey, personKey }: SubjectKeys,
): Promise<Map<string, AmlReview>> {
  const same = personKey === null ? { subjectKey } : { $or: [{ subjectKey }, { personKey }] };
  const reviewed = await AmlHit.find({ ...scopeOf(scope), ...same, review: { $ne: null } })
    .sort({ 'review.at': 1 })
    .lean<AmlHitRecord[]>();
  const reviews = new Map<string, AmlReview>();
  for (const { listId, entryId, entryHash, review } of reviewed) {
    if (review !== null) reviews.set(entryKey(listId, entryId, entryHash), review);
  }
  return reviews;
}

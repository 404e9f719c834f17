import type { ScreeningQuery } from '../../../domain/aml/query';
import { AmlHit } from '../../../models/identity/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml-hit';
import type { Platform, Scope } from '../../platform/platform';
import { recordCipher } from '../../platform/record-cipher';
import { scopeOf } from '../session-store';

/** Spelled alike, the same subject; the key is the tenant's, so that the hash tells nothing outside it. */
export async function subjectKeyOf(platform: Platform, scope: Scope, query: ScreeningQuery): Promise<string> {
  const cipher = await recordCipher(platform, scope, `aml-subjects.${scope.organisationId}.${scope.mode}`);
  const plain = (value: string | undefined): string =>
    (value ?? '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const { fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender } = query;
  return cipher.lookUpKey(
    JSON.stringify([fullName, entityType, dateOfBirth, nationality, country, documentNumber, gender].map(plain)),
  );
}

/** Names an entry as it is now: a review of it holds until it changes. */
export const entryKey = (listId: string, entryId: string, entryHash: string): string =>
  JSON.stringify([listId, entryId, entryHash]);

/** What reviewers last said of hits on this subject, by entry. */
export async function rememberedReviews(scope: Scope, subjectKey: string): Promise<Map<string, AmlReview>> {
  const reviewed = await AmlHit.find({ ...scopeOf(scope), subjectKey, review: { $ne: null } })
    .sort({ 'review.at': 1 })
    .lean<AmlHitRecord[]>();
  const reviews = new Map<string, AmlReview>();
  for (const { listId, entryId, entryHash, review } of reviewed) {
    if (review !== null) reviews.set(entryKey(listId, entryId, entryHash), review);
  }
  return reviews;
}

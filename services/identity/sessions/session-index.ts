import { buildSessionTokens, listReferencePrefixes } from '../../../domain/identity/sessions/session-search';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { createBlindIndex } from '../../platform/evidence/blind-index';
import type { Platform, Scope } from '../../platform/platform';

type IndexedSession = Pick<SessionRecord, '_id' | 'number' | 'externalId'>;

/** The fields by which a session is found. */
type SearchFields = Pick<SessionRecord, 'externalIdKey' | 'searchTokens'>;

/** Finds sessions by their externalId, which is encrypted: it is indexed by keyed hashes. */
export interface SessionIndex {
  describe(session: IndexedSession): SearchFields;
  /** The stored forms of an externalId. */
  listReferenceKeys(externalId: string): string[];
  /** For each word of a search, the tokens of the sessions that it finds. */
  buildSearchConditions(words: readonly string[]): { searchTokens: { $in: (string | RegExp)[] } }[];
}

const nameReference = (externalId: string): string => `externalId:${externalId}`;
const namePrefix = (prefix: string): string => `prefix:${prefix}`;

/** Opens the index with the keys of the organisation. */
export async function createSessionIndex(platform: Platform, scope: Scope): Promise<SessionIndex> {
  const index = await createBlindIndex(platform, scope, 'sessions');
  return {
    describe(session) {
      const tokens = buildSessionTokens(session);
      const { externalId } = session;
      if (externalId === null) return { externalIdKey: null, searchTokens: tokens };
      const prefixes = listReferencePrefixes(externalId).map((prefix) => index.compute(namePrefix(prefix)));
      return { externalIdKey: index.compute(nameReference(externalId)), searchTokens: [...tokens, ...prefixes] };
    },
    listReferenceKeys: (externalId) => index.list(nameReference(externalId)),
    buildSearchConditions: (words) =>
      words.map((word) => {
        // Ids and numbers consist of letters, digits and underscores: no other word is a prefix of one.
        const clear = /^\w+$/.test(word) ? [new RegExp(`^${word}`)] : [];
        return { searchTokens: { $in: [...clear, ...index.list(namePrefix(word))] } };
      }),
  };
}

/** The fields by which a new session is found. */
export const describeSession = async (
  platform: Platform,
  scope: Scope,
  session: IndexedSession,
): Promise<SearchFields> =>
  session.externalId === null
    ? { externalIdKey: null, searchTokens: buildSessionTokens(session) }
    : (await createSessionIndex(platform, scope)).describe(session);

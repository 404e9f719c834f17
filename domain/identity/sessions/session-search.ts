/** Words of an externalId that are searched, and how much of each. */
const MAX_WORDS = 20;
const MAX_TOKEN_LENGTH = 200;

const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();

const uniqueTokens = (tokens: readonly string[]): string[] => [...new Set(tokens.filter((token) => token !== ''))];

/**
 * What a session is found by: its id, its number, its externalId whole and each of its words. Names of people are not
 * among it: they stand in results, which an erasure removes whole, and a client's own id finds the case as well.
 */
export function buildSessionTokens(session: { _id: string; number: number; externalId: string | null }): string[] {
  const externalId = foldCase(session.externalId ?? '');
  // Whatever begins the first word begins the whole as well: a token for both would be looked at twice.
  const words = externalId
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, MAX_WORDS)
    .filter((word) => !externalId.startsWith(word));
  return uniqueTokens([foldCase(session._id), String(session.number), externalId, ...words]);
}

/** The words of a search, each the beginning of some token of every session found. */
export const parseSessionSearch = (search: string): string[] =>
  uniqueTokens(
    foldCase(search)
      .split(/\s+/)
      .map((word) => word.replace(/^#(?=\d)/, '').slice(0, MAX_TOKEN_LENGTH)),
  ).slice(0, MAX_WORDS);

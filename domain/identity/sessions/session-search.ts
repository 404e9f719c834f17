/** Words of an externalId that are searched, and how much of each. */
const MOST_WORDS = 20;
const LONGEST_TOKEN = 200;

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

const unique = (tokens: readonly string[]): string[] => [...new Set(tokens.filter((token) => token !== ''))];

/**
 * What a session is found by: its id, its number, its externalId whole and each of its words. Names of people are not
 * among it: they stand in results, which an erasure removes whole, and a client's own id finds the case as well.
 */
export function sessionTokens(session: { _id: string; number: number; externalId: string | null }): string[] {
  const externalId = folded(session.externalId ?? '');
  // Whatever begins the first word begins the whole as well: a token for both would be looked at twice.
  const words = externalId
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, MOST_WORDS)
    .filter((word) => !externalId.startsWith(word));
  return unique([folded(session._id), String(session.number), externalId, ...words]);
}

/** The words of a search, each the beginning of some token of every session found. */
export const searchWords = (search: string): string[] =>
  unique(
    folded(search)
      .split(/\s+/)
      .map((word) => word.replace(/^#(?=\d)/, '').slice(0, LONGEST_TOKEN)),
  ).slice(0, MOST_WORDS);

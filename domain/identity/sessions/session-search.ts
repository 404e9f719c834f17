/** Limits of the words of an externalId that are indexed. */
const MAX_WORDS = 20;
const MAX_TOKEN_LENGTH = 200;

const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();

const uniqueTokens = (tokens: readonly string[]): string[] => [...new Set(tokens.filter((token) => token !== ''))];

/**
 * The search tokens of a session: its id, its number, its externalId and each word of it. Names of people are not
 * indexed: they are part of results, which an erasure removes completely, and the externalId serves to find a case.
 */
export function buildSessionTokens(session: { _id: string; number: number; externalId: string | null }): string[] {
  const externalId = foldCase(session.externalId ?? '');
  // A prefix of the first word is a prefix of the whole externalId: a token for both would be redundant.
  const words = externalId
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, MAX_WORDS)
    .filter((word) => !externalId.startsWith(word));
  return uniqueTokens([foldCase(session._id), String(session.number), externalId, ...words]);
}

/** The words of a search; each must be a prefix of some token of every session found. */
export const parseSessionSearch = (search: string): string[] =>
  uniqueTokens(
    foldCase(search)
      .split(/\s+/)
      .map((word) => word.replace(/^#(?=\d)/, '').slice(0, MAX_TOKEN_LENGTH)),
  ).slice(0, MAX_WORDS);

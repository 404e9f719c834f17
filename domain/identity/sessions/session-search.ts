import { foldCase } from './fold-case';
/** Limits of the words of an externalId that are indexed. */
const MAX_WORDS = 20;
/** Words are compared by their first characters, up to this number. */
const MAX_PREFIX_LENGTH = 64;

const uniqueTokens = (tokens: readonly string[]): string[] => [...new Set(tokens.filter((token) => token !== ''))];

/** The search tokens of a session that are not personal: its id and its number. A search finds them by their prefixes. */
export const buildSessionTokens = (session: { _id: string; number: number }): string[] =>
  uniqueTokens([foldCase(session._id), String(session.number)]);

/**
 * The prefixes of an externalId and of each word of it, by which a search finds its session. Names of people are not
 * indexed: the externalId serves to find a case.
 */
export function listReferencePrefixes(externalId: string): string[] {
  const text = foldCase(externalId);
  // Words of a search contain no space: longer prefixes of the whole text are never searched for.
  const [first = ''] = text.split(/\s/, 1);
  const words = text.split(/[^\p{L}\p{N}]+/u).slice(0, MAX_WORDS);
  const prefixes = [first, ...words].flatMap((word) =>
    Array.from({ length: Math.min(word.length, MAX_PREFIX_LENGTH) }, (_, index) => word.slice(0, index + 1)),
  );
  return uniqueTokens(prefixes);
}

/** The words of a search; each must be a prefix of some token of every session found. */
export const parseSessionSearch = (search: string): string[] =>
  uniqueTokens(
    foldCase(search)
      .split(/\s+/)
      .map((word) => word.replace(/^#(?=\d)/, '').slice(0, MAX_PREFIX_LENGTH)),
  ).slice(0, MAX_WORDS);

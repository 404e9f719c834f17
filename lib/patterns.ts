import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Longest pattern a user may send. */
export const MAX_PATTERN_LENGTH = 200;

/** Largest program a pattern may compile to: time is linear in the text, and this is its factor. */
const MAX_PROGRAM_SIZE = 1000;
/** Characters; what is longer matches nothing, since part of a text would match patterns that the whole does not. */
const MAX_TEXT_LENGTH = 1000;

/** The same few patterns are matched against every session of an organisation. */
const compiledPatterns = new LRUCache<string, RE2JS>({ max: 1000 });

function compilePattern(pattern: string): RE2JS {
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  const regex = RE2JS.compile(pattern);
  compiledPatterns.set(pattern, regex);
  return regex;
}

/**
 * Whether a user's pattern is RE2 syntax (no look-around and no back-references, which could take exponential time) and
 * small enough.
 */
export function isPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  try {
    return compilePattern(pattern).programSize() <= MAX_PROGRAM_SIZE;
  } catch {
    return false;
  }
}

/** Whether a pattern occurs anywhere in a text of at most a thousand characters, in time linear in them. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= MAX_TEXT_LENGTH && compilePattern(pattern).matcher(text).find();

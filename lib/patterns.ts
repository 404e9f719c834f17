import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Maximum length of a user's pattern. */
export const MAX_PATTERN_LENGTH = 200;

/** Maximum size of the compiled program: matching time is proportional to it and to the length of the text. */
const MAX_PROGRAM_SIZE = 1000;
/** Maximum length of a text in characters; longer texts do not match, since truncating them would change the result. */
const MAX_TEXT_LENGTH = 1000;

/** Compiled patterns: an organisation matches the same few patterns against all its sessions. */
const compiledPatterns = new LRUCache<string, RE2JS>({ max: 1000 });

function compilePattern(pattern: string): RE2JS {
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  const regex = RE2JS.compile(pattern);
  compiledPatterns.set(pattern, regex);
  return regex;
}

/**
 * Whether a user's pattern is valid RE2 syntax and small enough. RE2 has no look-around and no back-references, which
 * could take exponential time.
 */
export function isPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  try {
    return compilePattern(pattern).programSize() <= MAX_PROGRAM_SIZE;
  } catch {
    return false;
  }
}

/** Whether a pattern occurs in a text of at most a thousand characters; takes linear time. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= MAX_TEXT_LENGTH && compilePattern(pattern).matcher(text).find();

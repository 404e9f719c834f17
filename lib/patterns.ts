import { RE2JS } from 're2js';

/** Longest pattern a user may send. */
export const LONGEST_PATTERN = 200;

/** Largest program a pattern may compile to: time is linear in the text, and this is its factor. */
const LARGEST_PROGRAM = 1000;
/** Characters; what is longer matches nothing, since part of a text would match patterns that the whole does not. */
const LONGEST_TEXT = 1000;

/** Patterns compiled lately: the same few are matched against every session of an organisation. */
const COMPILED = new Map<string, RE2JS>();
const MOST_COMPILED = 1000;

function compiled(pattern: string): RE2JS {
  const known = COMPILED.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  const [oldest] = COMPILED.keys();
  if (COMPILED.size >= MOST_COMPILED && oldest !== undefined) COMPILED.delete(oldest);
  COMPILED.set(pattern, made);
  return made;
}

/**
 * Whether a user's pattern is RE2 syntax (no look-around and no back-references, which could take exponential time) and
 * small enough.
 */
export function isPattern(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  try {
    return compiled(pattern).programSize() <= LARGEST_PROGRAM;
  } catch {
    return false;
  }
}

/** Whether a pattern occurs anywhere in a text of at most a thousand characters, in time linear in them. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= LONGEST_TEXT && compiled(pattern).matcher(text).find();

import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Characters that are examined: what follows can only make a password stronger, but takes processor time. */
const MAX_EXAMINED_CHARACTERS = 32;
/** 3 of 4: at least 10^8 guesses. */
const SUFFICIENT_SCORE = 3;

/** A text about the user of this length must not be most of the password. */
const MIN_KNOWN_LENGTH = 8;
const MIN_OWN_CHARACTERS = 8;

/** Whether a password is little more than a text about the user. The estimator sees only the beginning of both. */
const isMostlyKnown = (password: string, known: readonly string[]): boolean =>
  known.some(
    (text) =>
      text.length >= MIN_KNOWN_LENGTH &&
      password.toLowerCase().includes(text.toLowerCase()) &&
      password.length - text.length < MIN_OWN_CHARACTERS,
  );

let estimator: Promise<ZxcvbnFactory> | undefined;

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: MAX_EXAMINED_CHARACTERS,
  });
}

/**
 * Examines offline how easy a password is to guess: passwords of breaches, names, words, dates, sequences, repetitions,
 * keyboard patterns, and what is known about the user.
 * @param known texts about the user, such as the email address and the name of the organisation
 * @returns what is wrong with the password; null for a strong one
 */
export async function findPasswordWeakness(password: string, known: readonly string[]): Promise<string | null> {
  if (isMostlyKnown(password, known))
    return 'It consists mostly of personal data, such as the email address or a name.';
  // Loaded on first use: the dictionaries take 70 MB of memory, which most processes never need.
  estimator ??= loadEstimator();
  const { score, feedback } = (await estimator).check(password, [...known]);
  if (score >= SUFFICIENT_SCORE) return null;
  return [feedback.warning ?? '', ...feedback.suggestions].filter((text) => text !== '').join(' ');
}

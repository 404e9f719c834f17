import { LRUCache } from 'lru-cache';
import type { EntityType } from './entry';
import { SERVANT_PREFIX, normaliseCompounds } from './compounds';
import { toEasternSkeleton, toKoreanSoundKey, toConsonantSkeleton, toSoundKey } from './phonetics';
import { computeEditCost } from './edit-cost';
import { isKoreanName, toKoreanKey } from './korean-names';
import { splitNameWords } from './transliteration';
import type { Script, Word } from './transliteration';
import {
  FILLERS,
  HONORIFICS,
  isAssimilatedArticle,
  LEGAL_FORMS,
  NAME_GROUPS,
  parseNumberWord,
  PARTICLES,
  PLACES,
  TITLES,
  TRADE,
} from './vocabulary';

/**
 * `initial`: one letter for a name. `particle`: article or word of descent. `honorific`: has little weight. `trade`: a
 * word shared by many companies. `place`: a country in a company's name.
 */
export const TOKEN_KINDS = ['word', 'initial', 'number', 'particle', 'honorific', 'trade', 'place'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** One word of a name with the forms in which it is compared. */
export interface Token {
  /** Unique within the process; key of cached similarities. */
  readonly id: number;
  readonly text: string;
  readonly kind: TokenKind;
  readonly script: Script;
  readonly sound: string;
  /** Consonant skeleton. */
  readonly skeleton: string;
  /** Consonant skeleton by the eastern reading of Arabic letters; empty if there is none. */
  readonly easternSkeleton: string;
  /** Phonetic key of Korean syllables; empty for a word that is not made of them. */
  readonly koreanKey: string;
  /** Letters in alphabetical order. */
  readonly letters: string;
  /** Groups of given names that it is a variant of. */
  readonly groups: readonly number[];
  /** Weight from 0 to 1, before the frequency in a list is taken into account. */
  readonly weight: number;
}

/** How a name is parsed: names of people by given and family names, others by words of a trade. */
export const NAME_CLASSES = ['person', 'organisation', 'craft'] as const;
export type NameClass = (typeof NAME_CLASSES)[number];

export interface PreparedName {
  class: NameClass;
  tokens: readonly Token[];
  /** Whether it may be the name of a Korean, whose romanisations differ more than other spellings of one word. */
  korean: boolean;
  /** Class of the legal form, such as `limited`. */
  legalForm: string | null;
}

/** Maximum number of words of a name; further words are ignored. */
export const MAX_TOKENS = 14;

const WEIGHTS: Record<TokenKind, number> = {
  word: 1,
  initial: 0.5,
  number: 0.8,
  particle: 0.12,
  honorific: 0.15,
  trade: 0.4,
  place: 0.35,
};

const SERVANT_WEIGHT = 0.4;

/** How the names of a type of entity are compared; ships and aircraft are `craft`. */
export const getNameClass = (type: EntityType): NameClass =>
  type === 'person' ? 'person' : type === 'company' ? 'organisation' : 'craft';

/** Digits that replace letters in deliberately disguised words: `Sech1n`. */
const LETTER_BY_DIGIT: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

const undisguise = (text: string): string =>
  /[a-z]/.test(text) && /\d/.test(text) && text.length > 2 && !/^\d+(?:st|nd|rd|th)$/.test(text)
    ? [...text].map((letter) => LETTER_BY_DIGIT[letter] ?? letter).join('')
    : text;

/** Computes each phonetic key when it is first read: of most words only one or two are. */
class NameToken implements Token {
  readonly groups: readonly number[];
  readonly weight: number;
  private soundKey?: string;
  private skeletonKey?: string;
  private easternKey?: string;
  private koreanSound?: string;
  private sortedLetters?: string;

  constructor(
    readonly id: number,
    readonly text: string,
    readonly kind: TokenKind,
    readonly script: Script,
  ) {
    this.groups = NAME_GROUPS.get(text) ?? NO_GROUPS;
    // Servant names are frequent; the attribute of God that follows distinguishes them.
    this.weight = text === SERVANT_PREFIX ? SERVANT_WEIGHT : WEIGHTS[kind];
  }

  get sound(): string {
    return (this.soundKey ??= this.script === 'hangul' ? toKoreanSoundKey(this.text) : toSoundKey(this.text));
  }

  get skeleton(): string {
    return (this.skeletonKey ??= toConsonantSkeleton(this.text));
  }

  get easternSkeleton(): string {
    return (this.easternKey ??= this.script === 'consonants' ? toEasternSkeleton(this.text) : '');
  }

  get koreanKey(): string {
    return (this.koreanSound ??= toKoreanKey(this.text));
  }

  get letters(): string {
    return (this.sortedLetters ??= [...this.text].sort().join(''));
  }
}

const NO_GROUPS: readonly number[] = [];
const tokenCache = new LRUCache<string, Token>({ max: 100_000 });
let lastId = 0;

/** The token of a word and kind; cached, so that equal words share one token. */
export function getNameToken(text: string, kind: TokenKind, script: Script = 'latin'): Token {
  const key = `${kind}/${script}/${text}`;
  const cached = tokenCache.get(key);
  if (cached !== undefined) return cached;
  lastId += 1;
  const token = new NameToken(lastId, text, kind, script);
  tokenCache.set(key, token);
  return token;
}

/** Words of descent that are given names at the beginning of a name. */
const NAMES_IN_FRONT = new Set(['ben', 'ad', 'ash']);

function toPersonToken({ text, script }: Word, next: string | undefined, first: boolean): Token {
  const name = first && NAMES_IN_FRONT.has(text);
  const particle = isAssimilatedArticle(text, next) ? 'al' : name ? undefined : PARTICLES.get(text);
  if (particle !== undefined) return getNameToken(particle, 'particle', script);
  if (HONORIFICS.has(text)) return getNameToken(text, 'honorific', script);
  if (/^\d+$/.test(text)) return getNameToken(text, 'number');
  const word = undisguise(text);
  return getNameToken(word, word.length === 1 && script === 'latin' ? 'initial' : 'word', script);
}

/** Tokens of a person's name. Titles and a company's legal form at the end are removed unless nothing else is left. */
function tokenisePersonName(written: readonly Word[]): Token[] {
  const words = normaliseCompounds(written);
  // Names in consonant scripts may look like titles: Omar like `mr`.
  const untitled = words.filter(({ text, script }) => script === 'consonants' || !TITLES.has(text));
  const kept = untitled.length === 0 ? words : untitled;
  const ending = kept.at(-1);
  const isForm =
    ending !== undefined && ['sa', 'llc', 'ltd', 'inc', 'gmbh', 'corp', 'ooo', 'plc'].includes(ending.text);
  const named = isForm && kept.length > 2 ? kept.slice(0, -1) : kept;
  return named.map((word, at) => toPersonToken(word, named[at + 1]?.text, at === 0));
}

/** Joins single letters such as `A.B.C.` into one word. */
function mergeLetters(words: readonly Word[]): Word[] {
  const merged: Word[] = [];
  let open = false;
  for (const word of words) {
    const letter = /^[a-z]$/.test(word.text);
    const before = merged.at(-1);
    if (letter && open && before !== undefined)
      merged[merged.length - 1] = { ...before, text: before.text + word.text };
    else merged.push(word);
    open = letter;
  }
  return merged;
}

/** Numerals that distinguish funds or ships from each other. */
const NUMERAL = /^(?:i|ii|iii|iv|vi|vii|viii|ix|\d+)$/;

/** Makes `forty four` and `44` the same number. */
function mergeNumbers(words: readonly Word[]): Word[] {
  const merged: Word[] = [];
  for (const word of words) {
    const value = parseNumberWord(word.text);
    const before = merged.at(-1);
    const tens = before === undefined || !/^[2-9]0$/.test(before.text) ? undefined : Number(before.text);
    if (value !== undefined && tens !== undefined && value > 0 && value < 10) {
      merged[merged.length - 1] = { text: String(tens + value), script: 'latin' };
    } else merged.push(value === undefined ? word : { text: String(value), script: 'latin' });
  }
  return merged;
}

/** A long word of a legal form is recognised with one wrong letter: `Aktiengeselschaft`. */
const isFormWord = (part: string, word: string | undefined): boolean =>
  word === part || (part.length >= 7 && word !== undefined && computeEditCost(part, word, 1) <= 1);

const startsAt = (words: readonly Word[], at: number, form: readonly string[]): boolean =>
  form.every((part, offset) => isFormWord(part, words[at + offset]?.text));

/** Legal forms that precede the name in their languages; others are removed from its end only. */
const LEADING_FORMS =
  /^(?:ltd|limited|llc|gmbh|plc|fze|sarl|srl|ltda|inc|corp|ooo|oao|pao|zao|ao|pt|tov|pat|fgup|gup|ano|cv|too|jsc|llc|cjsc|pjsc|ojsc|kontsern|concern|konzern|gruppa|grupo|groupe|group|company|compania|compagnie|sherkat|sherkate)$/;

/** Removes legal forms from the beginning and the end of a company's name. */
function stripLegalForm(words: readonly Word[]): { words: readonly Word[]; legalForm: string | null } {
  let rest = words;
  let legalForm: string | null = null;
  for (let again = true; again && rest.length > 1;) {
    again = false;
    for (const { words: form, kind } of LEGAL_FORMS) {
      if (form.length >= rest.length) continue;
      const atEnd = startsAt(rest, rest.length - form.length, form);
      const inFront = !atEnd && (form.length > 1 || LEADING_FORMS.test(form[0] ?? '')) && startsAt(rest, 0, form);
      if (!atEnd && !inFront) continue;
      rest = atEnd ? rest.slice(0, -form.length) : rest.slice(form.length);
      legalForm = legalForm === null || legalForm === 'company' || legalForm === 'group' ? kind : legalForm;
      again = true;
      break;
    }
  }
  return { words: rest, legalForm };
}

function tokeniseOrganisationName(words: readonly Word[]): Token[] {
  const tokens = mergeNumbers(words).map(({ text, script }): Token => {
    if (NUMERAL.test(text)) return getNameToken(text, 'number');
    if (PLACES.has(text)) return getNameToken(text, 'place');
    const trade = TRADE.get(text);
    return trade === undefined ? getNameToken(undisguise(text), 'word', script) : getNameToken(trade, 'trade', script);
  });
  const significant = tokens.filter(({ text }) => !FILLERS.has(text));
  return significant.length === 0 ? tokens : significant;
}

/** Removes prefixes such as `M/V` and `MT` from the name of a ship. */
function stripShipPrefix(words: readonly Word[]): readonly Word[] {
  const [first = '', second = ''] = words.map(({ text }) => text);
  const letters = first.length === 1 && second.length === 1 ? 2 : 1;
  const prefix = letters === 2 ? first + second : first;
  const isPrefix = /^(?:mv|mt|ms|ss|mts|motor|vessel|tanker)$/.test(prefix);
  return isPrefix && words.length > letters ? words.slice(letters) : words;
}

/** Removes an abbreviation in parentheses that repeats the name before it: `Islamic Movement (IM)`. */
function stripAbbreviation(raw: string): string {
  const [bracketed, letters] = /\(\s*([A-Za-z]{2,8})\s*\)/.exec(raw) ?? [];
  if (bracketed === undefined || letters === undefined) return raw;
  const rest = raw.replace(bracketed, ' ');
  const abbreviation = letters.toLowerCase();
  let found = 0;
  for (const { text } of splitNameWords(rest)) if (text.startsWith(abbreviation.charAt(found))) found += 1;
  return found >= abbreviation.length ? rest : raw;
}

/** Whether a name has words to search for: marks such as 々 are letters, and stand for none alone. */
export const isSearchableName = (raw: string): boolean => splitNameWords(raw).length > 0;

/** Parses a name into tokens and, for companies, the legal form. */
export function prepareName(raw: string, nameClass: NameClass): PreparedName {
  const words = splitNameWords(stripAbbreviation(raw)).slice(0, MAX_TOKENS);
  if (nameClass === 'person') {
    const tokens = tokenisePersonName(words);
    return { class: nameClass, tokens, korean: isKoreanName(tokens), legalForm: null };
  }
  if (nameClass === 'craft') {
    const tokens = tokeniseOrganisationName(stripShipPrefix(words));
    return { class: nameClass, tokens, korean: false, legalForm: null };
  }
  const { words: rest, legalForm } = stripLegalForm(mergeLetters(words));
  return { class: nameClass, tokens: tokeniseOrganisationName(rest), korean: false, legalForm };
}

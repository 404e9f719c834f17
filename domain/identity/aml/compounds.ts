import type { Word } from './transliteration';

/**
 * Normalises Arabic given names that consist of two words: servant names (`Abd al-Rahman`), names with God (`Amin
 * Allah`) and names with the faith (`Nur al-Din`). They are written as one word or as two, with several forms of the
 * article. Servant names become two words, of which the first has little weight; the others become one word.
 */

/** First word of every servant name, whatever vowel the article has. */
export const SERVANT_PREFIX = 'abdul';

const isArticle = (text: string | undefined): boolean =>
  text !== undefined && /^(?:[aeiou]l|[aeu][rsdtzn])$/.test(text);
const isGod = (text: string | undefined): boolean => text !== undefined && /^[aou]l+(?:ah?|h)$/.test(text);
const isFaith = (text: string | undefined): boolean =>
  text !== undefined && /^(?:[aeu]d)?d(?:i|ee|ie|y)ne?$/.test(text);
const isServant = (text: string | undefined): boolean =>
  text !== undefined && /^abd(?:[aeiou]{1,2}[lrsdtzn]?)?$/.test(text);

/** Words that follow God's name in names that begin with it: `Allah Dad`. */
const GOD_FIRST = new Set(['dad', 'bakhsh', 'baksh', 'yar', 'rakha', 'ditta', 'nazar', 'wasaya']);

/** Shorter words are not names that compounds are formed with. */
const MIN_NAME_LENGTH = 3;

/**
 * The name within a servant name that is written as one word (`Abdelaziz`, `Abdurrahman`); undefined for any other
 * word.
 */
function parseServantName(text: string): string | undefined {
  const found = /^abd[aeiou]{1,2}l(.{3,})$/.exec(text) ?? /^abd[aeiou]{1,2}([rsdtzn])(?=\1)(.{3,})$/.exec(text);
  const name = found?.at(-1);
  // `Abdoulaye` is a name of its own, and God's own name is not one of His attributes.
  return name === undefined || isGod(`a${name}`) || /^lah|^[aeiou].{0,2}$/.test(name) ? undefined : name;
}

/** Unifies the spellings of a one-word name of God or of the faith; other words stay as they are. */
function normaliseSpelling(text: string): string {
  if (/^abd[aeiou]{1,2}l+(?:ah?|h)$/.test(text)) return 'abdullah';
  const ofGod = /^(.{3,}?)[aou]l+(?:ah|h)$/.exec(text)?.[1];
  if (ofGod !== undefined) return `${ofGod}ullah`;
  const ofFaith = /^(.{2,}?)(?:[aeou]d|[aeu]l)d(?:i|ee|ie|y)ne?$/.exec(text)?.[1];
  return ofFaith === undefined ? text : `${ofFaith}uddin`;
}

interface Compound {
  /** Number of words that the compound consists of. */
  length: number;
  texts: readonly string[];
}

function parseCompoundAt(words: readonly Word[], at: number): Compound {
  const text = words[at]?.text ?? '';
  const [next, afterNext] = [words[at + 1]?.text, words[at + 2]?.text];
  if (isServant(text)) {
    if (isGod(next)) return { length: 2, texts: ['abdullah'] };
    return { length: isArticle(next) && afterNext !== undefined ? 2 : 1, texts: [SERVANT_PREFIX] };
  }
  if (text.length >= MIN_NAME_LENGTH && !text.endsWith('ullah')) {
    if (isGod(next) && !GOD_FIRST.has(afterNext ?? '')) return { length: 2, texts: [`${text}ullah`] };
    if (next !== undefined && /^[aeu]dd/.test(next) && isFaith(next)) return { length: 2, texts: [`${text}uddin`] };
    if (isArticle(next) && isFaith(afterNext)) return { length: 3, texts: [`${text}uddin`] };
  }
  const name = parseServantName(text);
  return { length: 1, texts: name === undefined ? [normaliseSpelling(text)] : [SERVANT_PREFIX, name] };
}

/** The words of a person's name with every compound in one form. */
export function normaliseCompounds(words: readonly Word[]): Word[] {
  const normalised: Word[] = [];
  for (let at = 0; at < words.length;) {
    const { length, texts } = parseCompoundAt(words, at);
    const script = words[at]?.script ?? 'latin';
    normalised.push(...texts.map((text): Word => ({ text, script: text === SERVANT_PREFIX ? 'latin' : script })));
    at += length;
  }
  return normalised;
}

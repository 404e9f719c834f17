import anyAscii from 'any-ascii';

/** Script of a word; scripts differ in what they state of vowels and syllables. */
export const SCRIPTS = ['latin', 'alphabet', 'consonants', 'abugida', 'han', 'hangul', 'kana'] as const;
export type Script = (typeof SCRIPTS)[number];

/** A run of letters and digits in lower-case ASCII. */
export interface Word {
  text: string;
  script: Script;
}

const APOSTROPHES = /['’‘ʼʻ`´ʹʿʾ"“”„]/gu;

/** Letters whose plain transliteration loses the sound: modern Greek digraphs, and Cyrillic letters by their sound. */
const BEFORE_TRANSLITERATION: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}])[Μμ][Ππ]/gu, 'b'],
  [/(?<![\p{L}])[Νν][Ττ]/gu, 'd'],
  [/(?<![\p{L}])[Γγ][Κκ]/gu, 'g'],
  [/[Οο][Υυύ]/gu, 'u'],
  [/ё/gu, 'yo'],
  [/Ё/gu, 'Yo'],
];

/**
 * Transliteration of Arabic and Persian letters. Most vowels are not written; the long ones are kept here and removed
 * again by skeletons.
 */
const ARABIC: Readonly<Record<string, string>> = {
  ا: 'a',
  أ: 'a',
  إ: 'i',
  آ: 'a',
  ٱ: 'a',
  ى: 'a',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ث: 'th',
  ج: 'j',
  چ: 'ch',
  ح: 'h',
  خ: 'kh',
  د: 'd',
  ذ: 'dh',
  ر: 'r',
  ز: 'z',
  ژ: 'zh',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'dh',
  ط: 't',
  ظ: 'dh',
  ع: '',
  غ: 'gh',
  ف: 'f',
  ق: 'q',
  ك: 'k',
  ک: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  ة: 'a',
  و: 'w',
  ي: 'y',
  ی: 'y',
  ئ: 'y',
  ؤ: 'w',
  ء: '',
};

const HEBREW: Readonly<Record<string, string>> = {
  א: 'a',
  ב: 'b',
  ג: 'g',
  ד: 'd',
  ה: 'h',
  ו: 'w',
  ז: 'z',
  ח: 'h',
  ט: 't',
  י: 'y',
  כ: 'k',
  ך: 'k',
  ל: 'l',
  מ: 'm',
  ם: 'm',
  נ: 'n',
  ן: 'n',
  ס: 's',
  ע: '',
  פ: 'p',
  ף: 'f',
  צ: 'ts',
  ץ: 'ts',
  ק: 'k',
  ר: 'r',
  ש: 'sh',
  ת: 't',
};

const CONSONANTS = { ...ARABIC, ...HEBREW };

/** Surnames of two characters; all other Chinese names begin with a surname of one. */
const LONG_SURNAMES = new Set(['欧阳', '歐陽', '司马', '司馬', '上官', '诸葛', '諸葛', '司徒', '夏侯', '皇甫', '慕容']);

/**
 * Scripts whose letters carry an inherent vowel that the next sign may replace; their vowels are as unreliable as
 * unwritten ones.
 */
const ABUGIDA =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Ethiopic}]/u;

function detectScript(chunk: string): Script {
  if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(chunk)) return 'consonants';
  if (ABUGIDA.test(chunk)) return 'abugida';
  if (/\p{Script=Han}/u.test(chunk)) return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(chunk) ? 'kana' : 'han';
  if (/\p{Script=Hangul}/u.test(chunk)) return 'hangul';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(chunk)) return 'kana';
  return /[^\p{Script=Latin}\p{N}\p{M}]/u.test(chunk) ? 'alphabet' : 'latin';
}

const toAscii = (text: string): string =>
  anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/**
 * Keeps two letters from reading as one sound (`s` and `h` are not `sh`): an `h` after such a consonant is dropped,
 * between other letters a vowel is inserted.
 */
function separateLetters(before: string, letter: string): string {
  if (letter === 'h' && /[skdtzgcp]$/.test(before)) return '';
  return (letter === 's' && before.endsWith('t')) || (letter === 'j' && before.endsWith('d')) ? `a${letter}` : letter;
}

/** Transliterates the consonants and long vowels of a word. An initial vowel letter may stand for any vowel. */
const transliterateConsonants = (chunk: string): string =>
  toAscii(
    [...chunk].reduce((word, letter) => {
      const sound = word === '' && (letter === 'ع' || letter === 'ע') ? 'a' : (CONSONANTS[letter] ?? letter);
      return word + separateLetters(word, sound);
    }, ''),
  );

/** Splits a Chinese or Korean name without spaces into the surname and the given name, whose syllables are joined. */
function splitSyllabicName(chunk: string, script: Script, alone: boolean): string[] {
  const letters = [...chunk];
  if (!alone || letters.length > 4 || letters.length < 2) return [toAscii(chunk)];
  const surname = script === 'han' && LONG_SURNAMES.has(letters.slice(0, 2).join('')) ? 2 : 1;
  return [toAscii(letters.slice(0, surname).join('')), toAscii(letters.slice(surname).join(''))];
}

/** Splits names without spaces at capital letters: `SergeiLavrov`. */
const splitCapitals = (text: string): string =>
  /\s/u.test(text.trim()) ? text : text.replace(/(\p{Ll}{2})(?=\p{Lu})/gu, '$1 ');

/** Separates the Arabic article from its word, except in God's name. */
const separateArticle = (text: string): string =>
  text.replace(/(?<![\p{L}])ال(?=\p{Script=Arabic}{2})(?!له(?![\p{L}]))/gu, 'al ');

/**
 * The words of a name in lower-case ASCII, whatever its script, entirely offline. Letters are transliterated by
 * AnyAscii's tables except Arabic and Hebrew, of which only the consonants are reliable.
 */
export function splitNameWords(raw: string): Word[] {
  const text = separateArticle(
    splitCapitals(raw.normalize('NFKC').replace(/[\u0640\u200b-\u200f\u202a-\u202e\p{Cf}]/gu, '')),
  )
    .replace(APOSTROPHES, '')
    .replace(/&/g, ' and ');
  const chunks = text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((chunk) => chunk !== '');
  const native = chunks.filter((chunk) => ['han', 'hangul'].includes(detectScript(chunk)));
  return chunks.flatMap((chunk): Word[] => {
    const script = detectScript(chunk);
    const written =
      script === 'consonants'
        ? [transliterateConsonants(chunk.normalize('NFC').replace(/\p{M}/gu, ''))]
        : script === 'han' || script === 'hangul'
          ? splitSyllabicName(chunk, script, native.length === 1)
          : [toAscii(BEFORE_TRANSLITERATION.reduce((word, [letters, sound]) => word.replace(letters, sound), chunk))];
    return written.filter((word) => word !== '').map((word) => ({ text: word, script }));
  });
}

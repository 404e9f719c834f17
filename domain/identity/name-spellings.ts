/** Letters without a base letter, as ICAO 9303 part 3 section 6 transliterates them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'SS',
  ẞ: 'SS',
  Æ: 'AE',
  Œ: 'OE',
  Đ: 'D',
  Ð: 'D',
  Ł: 'L',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'N',
  ı: 'I',
  İ: 'I',
};

/** Letters that the same table transliterates to two letters, where other systems drop the mark. */
const UMLAUTS: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA' };

/** A machine-readable zone drops an apostrophe (O'NEILL is ONEILL), where others put a space. */
const APOSTROPHES = /['’‘‛`´ʼ′]/gu;

type Spelling = (capitals: string) => string;

const replaceLetters = (text: string, table: Readonly<Record<string, string>>): string =>
  [...text].map((letter) => table[letter] ?? letter).join('');

/** The ways in which a name is written with the letters of a machine-readable zone; each is independent of the others. */
const CHOICES: readonly (readonly Spelling[])[] = [
  [(text) => text, (text) => replaceLetters(text, UMLAUTS)],
  [(text) => text.replaceAll('Ø', 'OE'), (text) => text.replaceAll('Ø', 'O')],
  [(text) => text, (text) => text.replace(APOSTROPHES, '')],
];

const splitWords = (text: string): string[] =>
  replaceLetters(text, LETTERS)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * The words of a name in capitals without diacritics, for each way of writing it: umlauts transliterated or without
 * their mark, apostrophes dropped or as a space. Two sources may state one name in different ways.
 */
export function listNameSpellings(name: string): string[][] {
  const capitals = replaceLetters(name.normalize('NFKC'), LETTERS).toUpperCase();
  const texts = CHOICES.reduce(
    (known, choice) => [...new Set(known.flatMap((text) => choice.map((spell) => spell(text))))],
    [capitals],
  );
  return texts.map(splitWords);
}

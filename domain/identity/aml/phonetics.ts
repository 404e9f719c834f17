/**
 * Spellings that stand for one sound, in the order they are applied. The table serves romanisations of Arabic, Slavic,
 * Chinese and Korean names rather than English words.
 */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/(?:shch|sch|sz)/g, 'sh'],
  [/(?:tsch|tch|cz)/g, 'ch'],
  [/^zh|^dzh|dzh|dj/g, 'j'],
  [/zh/g, 'j'],
  [/kh/g, 'h'],
  [/gh/g, 'g'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/ck|cq/g, 'k'],
  [/(?:ts|tz)/g, 'c'],
  [/^x(?=[iu])/g, 'sh'],
  [/x/g, 'ks'],
  [/q/g, 'k'],
  [/c(?![hk])(?=[aoulrnt]|$)/g, 'k'],
  [/w/g, 'v'],
  [/(?:oo|ou)/g, 'u'],
  [/(?:ee|ea)/g, 'i'],
  [/(?:iy|ij|yi|iyy|yy|ii|ie|ey|ei)/g, 'i'],
  [/y(?=[aeou])|j(?=$)/g, 'i'],
  [/y/g, 'i'],
  [/(.)\1+/g, '$1'],
];

/** One spelling for all that sound alike: `Mohammed` and `Muhammed` differ by a vowel only, `Yusuf` and `Yousouf` not. */
export const toSoundKey = (word: string): string =>
  SOUNDS.reduce((sound, [spelling, letter]) => sound.replace(spelling, letter), word);

/** Vowels of Korean in the official romanisation and in the one used in passports, to one form. */
const KOREAN: readonly (readonly [RegExp, string])[] = [
  [/yeo/g, 'yo'],
  [/eo/g, 'o'],
  [/eu/g, 'u'],
  [/oo/g, 'u'],
  [/ae/g, 'e'],
  [/^(?:lee|yi|rhee|ri|i)$/g, 'li'],
  [/^(?:bak|pak|park)$/g, 'pak'],
  [/^(?:choe|choi|choy)$/g, 'choi'],
  [/^(?:no|roh|noh|ro)$/g, 'no'],
  [/ch|j/g, 'ch'],
  [/g/g, 'k'],
  [/d/g, 't'],
  [/b/g, 'p'],
  [/r/g, 'l'],
  [/(?<=n)k(?=$|[ck])/g, 'g'],
  [/(.)\1+/g, '$1'],
];

/** A Korean word whichever romanisation it is written in. */
export const toKoreanSoundKey = (word: string): string =>
  KOREAN.reduce((sound, [spelling, letter]) => sound.replace(spelling, letter), word);

const SKELETON: readonly (readonly [RegExp, string])[] = [
  [/sch|sh|ch/g, 'S'],
  [/kh|gh|q|ck/g, 'k'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/zh|dj/g, 'j'],
  [/ts|tz/g, 's'],
  [/x/g, 'ks'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/g/g, 'k'],
  [/z/g, 's'],
  [/v|p/g, 'b'],
  [/l/g, 'r'],
  [/^y(?=.)/g, 'Y'],
  [/^w(?=.)/g, 'W'],
  [/[aeiouywh]/g, ''],
  [/(.)\1+/g, '$1'],
];

/**
 * The consonants of a word in classes that survive a script without vowels or without `l` and `r` apart. Only for
 * comparing across scripts: within one alphabet too many words share a skeleton.
 */
export const toConsonantSkeleton = (word: string): string =>
  SKELETON.reduce((skeleton, [spelling, letter]) => skeleton.replace(spelling, letter), word);

/**
 * The consonants of a word in Arabic letters as Persian, Urdu and Turkish read them: three letters that Arabs speak as
 * `d` or `dh` are a `z` there. Empty where it has none of them.
 */
export const toEasternSkeleton = (word: string): string =>
  word.includes('dh') ? toConsonantSkeleton(word.replaceAll('dh', 'z')) : '';

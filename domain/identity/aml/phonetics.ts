/**
 * Spellings of one sound with their replacement, in the order in which they are applied. The table is made for
 * romanisations of Arabic, Slavic, Chinese and Korean names rather than for English words.
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

/**
 * Phonetic key: one spelling for names that sound alike. `Yusuf` and `Yousouf` have the same key, `Mohammed` and
 * `Muhammed` differ in a vowel.
 */
export const toSoundKey = (word: string): string =>
  SOUNDS.reduce((sound, [spelling, letter]) => sound.replace(spelling, letter), word);

/**
 * Korean sounds in the romanisations of both Koreas, in McCune–Reischauer's and as written in passports, with their
 * common form.
 */
const KOREAN: readonly (readonly [RegExp, string])[] = [
  [/^(?:im|yim|rim|lim)$/g, 'lim'],
  [/^(?:ryu|ryoo|yoo|yu|you)$/g, 'lyu'],
  [/(?<=[tpk])h(?=[aeiouyw])|(?<=ch)h/g, ''],
  [/sh/g, 's'],
  [/weo/g, 'wo'],
  [/woo|wu/g, 'u'],
  [/yeo/g, 'yo'],
  [/eo/g, 'o'],
  [/eu/g, 'u'],
  [/oo/g, 'u'],
  [/ou/g, 'u'],
  [/ae|ai/g, 'e'],
  [/ee/g, 'i'],
  [/(?<=h|^)ui/g, 'i'],
  [/^(?:lee|yi|rhee|ri|i)$/g, 'li'],
  [/^(?:bak|pak|park)$/g, 'pak'],
  [/^(?:choe|choi|choy)$/g, 'choi'],
  [/^(?:no|roh|noh|ro)$/g, 'no'],
  [/tch|ch|j/g, 'ch'],
  // Often written for 정, 성, 경 and 영, which the romanisations write with eo, ŏ or o.
  [/(?<=ch|s|y)ung/g, 'ong'],
  [/(?<=h)yun/g, 'yon'],
  [/g/g, 'k'],
  [/d/g, 't'],
  [/b/g, 'p'],
  [/r/g, 'l'],
  [/(?<=n)k(?=$|[ck])/g, 'g'],
  [/(.)\1+/g, '$1'],
];

/** Phonetic key of a Korean word in either romanisation. */
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
 * Consonant skeleton: the consonants of a word in classes that survive scripts without vowels or without a distinction
 * of `l` and `r`. Only for comparing across scripts: within one alphabet too many words share a skeleton.
 */
export const toConsonantSkeleton = (word: string): string =>
  SKELETON.reduce((skeleton, [spelling, letter]) => skeleton.replace(spelling, letter), word);

/**
 * Consonant skeleton of a word in Arabic letters as read in Persian, Urdu and Turkish, where three letters that are `d`
 * or `dh` in Arabic are pronounced `z`. Empty if the word has none of them.
 */
export const toEasternSkeleton = (word: string): string =>
  word.includes('dh') ? toConsonantSkeleton(word.replaceAll('dh', 'z')) : '';

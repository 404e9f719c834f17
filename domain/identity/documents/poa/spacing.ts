/** Words in which recognition reads ß, which its alphabet lacks, as B. */
const SHARP_S = /(stra|gro|wei|schlo|fu)[l1I]?B(?=e|\b|\p{Ll})/gu;

/**
 * Restores what character recognition drops: spaces before a capital inside a word and between a number and the next
 * word, and the German ß.
 */
export const restoreSpacing = (text: string): string =>
  text
    .replace(SHARP_S, '$1ß')
    .replace(/(?<=\p{Ll}{2}|\p{Ll}[.,])(?=\p{Lu}\p{Ll}{2})/gu, ' ')
    .replace(/(?<=\d[.,]?)(?=\p{Lu}\p{L}{2})/gu, ' ')
    .replace(/(?<=\d)(?=(?:de|rue|bis|von|janvier|février|mars|avril|mai|juin|juillet|août)\b)/gu, ' ')
    .replace(/(?<=[.,;:])(?=\p{Lu}\p{L})/gu, ' ');

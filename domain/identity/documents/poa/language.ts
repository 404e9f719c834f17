/** Words that occur in nearly every letter of a language but not in other languages. */
const STOPWORDS: Record<string, string> = {
  en: 'the and of your for to is this with from you account date bill please our number',
  es: 'el la los de del su para por con y en una que factura fecha cuenta titular importe nuestro',
  fr: 'le les des du votre pour avec et une vous est dans sur facture compte nous date adresse',
  de: 'der die das und ihre ihr für mit von zum sie bitte rechnung wir ist auf nicht datum',
  it: 'il lo gli della del per con di una che fattura conto vostro periodo sua nel data cliente',
  pt: 'o os da do das dos sua para com uma que fatura conta seu não data cliente valor',
  nl: 'de het een en van uw voor met wij is op niet factuur rekening datum dit',
  pl: 'i w na do się dla nie jest faktura rachunek data państwa klienta numer oraz',
};

/** Scripts that identify one language in practice. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
];

/** Minimum number of words found; fewer are not conclusive. */
const MIN_HITS = 3;

/** The language of a letter as ISO 639-1, by its script or its most common words; null if it is not recognised. */
export function detectLanguage(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  // Japanese uses its own scripts together with Chinese characters.
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) && /\p{Script=Han}/u.test(text)) return 'ja';
  // Letters of Persian that Arabic does not have.
  if ((text.match(/[پچژگ]/gu)?.length ?? 0) > 0.02 * letters) return 'fa';
  for (const [language, pattern] of SCRIPTS) {
    if ((text.match(pattern)?.length ?? 0) > 0.25 * letters) return language;
  }
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  let best: { language: string; hits: number } | null = null;
  for (const [language, list] of Object.entries(STOPWORDS)) {
    const stopwords = new Set(list.split(' '));
    const hits = words.filter((word) => stopwords.has(word)).length;
    if (best === null || hits > best.hits) best = { language, hits };
  }
  return best !== null && best.hits >= MIN_HITS ? best.language : null;
}

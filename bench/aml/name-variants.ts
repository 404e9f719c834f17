type Random = () => number;

const pick = <T>(from: readonly T[], random: Random): T | undefined => from[Math.floor(random() * from.length)];

/** Spellings of the same sound in different transliterations. */
const SPELLINGS: readonly (readonly [string, string])[] = (
  'kh h|ou u|oo u|iy y|ij y|ei ey|ey ei|w v|dj j|zh j|q k|x ks|th t|dh d|ee i|aa a|ph f|tch ch|sch sh|' +
  'yu iu|ya ia|ov off|ev eff|ss s|mm m|ll l|y i|sh ch|c k|ai ay|au aw'
)
  .split('|')
  .map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return [from, to];
  });

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One typing error in one of the longer words. */
function mistype(words: readonly string[], random: Random): string[] | null {
  const long = words.flatMap((word, at) => (/^[A-Za-z]{5,}$/.test(word) ? [at] : []));
  const at = pick(long, random);
  const word = at === undefined ? undefined : words[at];
  if (at === undefined || word === undefined) return null;
  const position = 1 + Math.floor(random() * (word.length - 2));
  const letter = pick([...LETTERS], random) ?? 'e';
  const kinds = [
    word.slice(0, position) + word.slice(position + 1),
    word.slice(0, position) + letter + word.slice(position),
    word.slice(0, position) + letter + word.slice(position + 1),
    word.slice(0, position) + word.charAt(position + 1) + word.charAt(position) + word.slice(position + 2),
  ];
  return words.toSpliced(at, 1, pick(kinds, random) ?? word);
}

/** Another transliteration: one or two sounds spelt differently. */
function respell(words: readonly string[], random: Random): string[] | null {
  const written = words.map((word) => word.toLowerCase());
  for (let change = 0; change < 2; change += 1) {
    const at = pick(
      written.flatMap((word, index) => (isLong(word) ? [index] : [])),
      random,
    );
    const word = at === undefined ? '' : (written[at] ?? '');
    const [from, to] = pick(
      SPELLINGS.filter(([spelling]) => word.slice(1).includes(spelling)),
      random,
    ) ?? ['', ''];
    if (at !== undefined && from !== '') written[at] = word.charAt(0) + word.slice(1).replace(from, to);
  }
  return written.join(' ') === words.join(' ').toLowerCase() ? null : written;
}

const isLong = (word: string): boolean => /^[\p{L}'-]{4,}$/u.test(word);

/** Variants of a name as other sources write it; null if a variant does not apply to the name. */
export const NAME_VARIANTS: Readonly<Record<string, (words: readonly string[], random: Random) => string[] | null>> = {
  reordered: (words) => (words.length < 2 ? null : [`${words.at(-1) ?? ''},`, ...words.slice(0, -1)]),
  mistyped: mistype,
  respelt: respell,
  initial: (words, random) => {
    if (words.length < 3) return null;
    const at = 1 + Math.floor(random() * (words.length - 2));
    // Articles and words with punctuation are not abbreviated to an initial.
    if (!/^\p{L}{4,}$/u.test(words[at] ?? '')) return null;
    return words.toSpliced(at, 1, `${words[at]?.charAt(0) ?? ''}.`);
  },
  shortened: (words, random) =>
    words.length < 3 ? null : words.toSpliced(1 + Math.floor(random() * (words.length - 2)), 1),
  joined: (words, random) => {
    const long = words.flatMap((word, at) => (isLong(word) && isLong(words[at + 1] ?? '') ? [at] : []));
    const at = pick(long, random);
    if (at === undefined) return null;
    return words.toSpliced(at, 2, `${words[at] ?? ''}${words[at + 1]?.toLowerCase() ?? ''}`);
  },
  upper: (words) => words.map((word) => word.toUpperCase()),
};

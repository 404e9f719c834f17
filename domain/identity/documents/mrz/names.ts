export interface MrzName {
  lastName: string | null;
  firstName: string | null;
  /** True if the field is full, so that letters or names may be missing at its end. */
  truncated: boolean;
}

/** The words of a name between fillers, separated by spaces; null if there are none. */
export const joinWords = (text: string): string | null => {
  const words = text.split('<').filter((word) => word !== '');
  return words.length === 0 ? null : words.join(' ');
};

/**
 * Splits the name field: primary identifier, two fillers, secondary identifiers with one filler between words
 * (ICAO Doc 9303-3, 4.6). A field without a trailing filler is full and counts as truncated.
 */
export function splitName(field: string): MrzName {
  const trimmed = field.replace(/<+$/, '');
  const separator = trimmed.indexOf('<<');
  const primary = separator < 0 ? trimmed : trimmed.slice(0, separator);
  const secondary = separator < 0 ? '' : trimmed.slice(separator + 2);
  return {
    lastName: joinWords(primary),
    firstName: joinWords(secondary),
    truncated: field.length > 0 && !field.endsWith('<'),
  };
}

/** Transliteration of letters by ICAO Doc 9303-3, section 6; some become more than one Latin letter. */
const TRANSLITERATION: Record<string, string> = {
  Ä: 'AE',
  Æ: 'AE',
  Å: 'AA',
  Ð: 'D',
  Đ: 'D',
  Ħ: 'H',
  İ: 'I',
  ı: 'I',
  Ĳ: 'IJ',
  Ł: 'L',
  Ŋ: 'N',
  Ñ: 'N',
  Ö: 'OE',
  Ø: 'OE',
  Œ: 'OE',
  ẞ: 'SS',
  ß: 'SS',
  Þ: 'TH',
  Ŧ: 'T',
  Ü: 'UE',
};

/** Transliterates a printed name to the letters of the zone, words separated by single spaces. */
export function transliterate(name: string): string {
  return [...name.toUpperCase()]
    .map((letter) => TRANSLITERATION[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, ''))
    .join('')
    .replace(/['’`.]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim();
}

/** The other common transliteration: diacritics dropped, nothing expanded (Müller → MULLER). */
export const stripAccents = (name: string): string =>
  name
    .replace(/ß/g, 'ss')
    .toUpperCase()
    .replace(/Ø/g, 'O')
    .replace(/Ł/g, 'L')
    .replace(/[ĐÐ]/g, 'D')
    .replace(/Æ/g, 'AE')
    .replace(/Œ/g, 'OE')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’`.]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim();

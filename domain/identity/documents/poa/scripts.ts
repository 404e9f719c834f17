import type { TextPiece } from './layout';

/** Scripts whose names and addresses are parsed. */
const PARSED =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu;

/** Scripts of which the text layer of a PDF has neither the order nor the combinations of the characters as written. */
const SHAPED =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}]/gu;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;

/** Share of the letters from which a script is that of the letter. */
const SCRIPT_SHARE = 0.3;

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const computeShare = (text: string, pattern: RegExp): number =>
  countMatches(text.replace(/[^\p{L}]/gu, ''), pattern) / Math.max(1, countMatches(text, /\p{L}/gu));

/** Whether a text is written in a script whose names and addresses are not parsed. */
export const isForeignScript = (text: string): boolean =>
  /\p{L}/u.test(text) && 1 - computeShare(text, PARSED) >= SCRIPT_SHARE;

/** Whether the text layer of a PDF is in a script for which its page is recognised as an image instead. */
export const isShapedScript = (text: string): boolean => computeShare(text, SHAPED) >= SCRIPT_SHARE;

/** The first digit of the decimal digits of other scripts: Arabic, Persian, Devanagari, Bengali, Tamil, Telugu, Thai. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xbe6, 0xc66, 0xe50] as const;

/** Writes the digits of every script as 0 to 9. */
export const toAsciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? digit : String(code - zero);
  });

/**
 * Mirrors the pages that are mostly written from right to left, so that their lines begin at the left and the value of
 * a caption is to its right, as on every other page.
 */
export function mirrorRightToLeftPages(pieces: readonly TextPiece[]): TextPiece[] {
  const pages = new Map<number, TextPiece[]>();
  for (const piece of pieces) pages.set(piece.page, [...(pages.get(piece.page) ?? []), piece]);
  return [...pages.values()].flatMap((page) => {
    if (computeShare(page.map(({ text }) => text).join(''), RIGHT_TO_LEFT) < 0.5) return page;
    const width = Math.max(...page.map(({ right }) => right));
    return page.map((piece) => ({ ...piece, left: width - piece.right, right: width - piece.left }));
  });
}

/** Abbreviations of Thai months, which are written with full stops. */
const THAI_MONTHS: Record<string, string> = {
  'ม.ค.': 'มกราคม',
  'ก.พ.': 'กุมภาพันธ์',
  'มี.ค.': 'มีนาคม',
  'เม.ย.': 'เมษายน',
  'พ.ค.': 'พฤษภาคม',
  'มิ.ย.': 'มิถุนายน',
  'ก.ค.': 'กรกฎาคม',
  'ส.ค.': 'สิงหาคม',
  'ก.ย.': 'กันยายน',
  'ต.ค.': 'ตุลาคม',
  'พ.ย.': 'พฤศจิกายน',
  'ธ.ค.': 'ธันวาคม',
};
const THAI_MONTH = new RegExp(
  Object.keys(THAI_MONTHS)
    .map((month) => month.replaceAll('.', String.raw`\.\s?`))
    .join('|'),
  'gu',
);

/** Years of the Buddhist era are 543 higher. */
const BUDDHIST_YEARS = 543;

/** Writes out the months and converts the years of Thai dates. */
export const toWesternThaiDates = (text: string): string =>
  text
    .replace(THAI_MONTH, (month) => THAI_MONTHS[month.replaceAll(/\s/g, '')] ?? month)
    .replace(/(?<!\d)2[456]\d\d(?!\d)/g, (year) => String(Number(year) - BUDDHIST_YEARS));

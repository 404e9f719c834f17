import { scoreNames } from '../aml/name-score';
import { prepareName } from '../aml/names';
import type { PreparedName } from '../aml/names';

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' };

/** Lower case without marks: names that differ only so are the same name. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøđłæœþı]/g, (letter) => PLAIN[letter] ?? letter);

/** What a company is looked up by. */
export interface CompanyNameKeys {
  /** the words without legal form, in one spelling, joined by spaces: the same for names that are the same */
  key: string;
  /** its telling words by their sound; words that many companies share only where it has no others */
  words: string[];
}

/** What look-ups find a company's name by, whatever script it is written in. */
export function buildCompanyNameKeys(name: string): CompanyNameKeys {
  const { tokens } = prepareName(name, 'organisation');
  if (tokens.length === 0) return { key: foldName(name).trim(), words: [] };
  const significant = tokens.filter(({ kind }) => kind === 'word');
  const words = (significant.length === 0 ? tokens : significant).map(({ sound }) => sound);
  return { key: tokens.map(({ text }) => text).join(' '), words: [...new Set(words)] };
}

/**
 * Points off 100 for another kind of legal form (`Ltd`, `plc`): such a company is shown, and never picked for its name
 * alone. Screening, which must find whoever hides behind another form, weighs it in its own way.
 */
const OTHER_FORM_PENALTY = 15;

const withoutLegalForm = (name: PreparedName): PreparedName => ({ ...name, legalForm: null });

/** How alike two company names are, 0–100, by the scoring of watch lists (domain/aml). The order does not matter. */
export function computeCompanyNameScore(a: string, b: string): number {
  if (foldName(a) === foldName(b)) return 100;
  const left = prepareName(a, 'organisation');
  const right = prepareName(b, 'organisation');
  if (left.tokens.length === 0 || right.tokens.length === 0) return 0;
  const { legalFormsDiffer } = scoreNames(left, right);
  const [x, y] = [withoutLegalForm(left), withoutLegalForm(right)];
  const similarity = Math.max(scoreNames(x, y).score, scoreNames(y, x).score);
  return Math.max(0, Math.round(100 * similarity) - (legalFormsDiffer ? OTHER_FORM_PENALTY : 0));
}

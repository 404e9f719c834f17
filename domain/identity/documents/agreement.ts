import { isStateCode, toIsoState } from './mrz/states';
import {
  areGivenNamesPart,
  findNameVariant,
  hasNameWord,
  isNameStated,
  isShortened,
  omitWords,
  quoteName,
} from './name-words';
import type { NameOptions } from './name-words';
import { findNumberVariant, isNumberLike, quoteNumber } from './number-text';
import { parsePrintedDates } from './printed-dates';
import type { FieldName } from './result';

/** A line of print with the confidence of its recognition, 0–1. */
export interface PrintedText {
  text: string;
  confidence: number;
}

/** A printed value under or next to its caption. */
export interface CaptionedText extends PrintedText {
  name: FieldName;
  /** True if the caption is in the same line, so that the value certainly belongs to it. */
  sameLine: boolean;
}

/** The value of a field in a zone or barcode. */
export interface MachineValue extends NameOptions {
  name: FieldName;
  value: string;
}

const parseSex = (text: string): string | null =>
  // The letter alone, or twice for two languages: a letter between words is an initial or guilloche.
  /^[^\p{L}]*([FMX])([^\p{L}]+\p{L})?[^\p{L}]*$/u.exec(text.toUpperCase())?.[1] ?? null;

/** The part of a printed text that states the value of a field exactly, as printed; null if it does not. */
export function quoteStatement({ name, value, ...options }: MachineValue, text: string): string | null {
  switch (name) {
    case 'dateOfBirth':
    case 'expiryDate':
    case 'issueDate':
      return parsePrintedDates(text).includes(value) ? text : null;
    case 'documentNumber':
    case 'personalNumber':
      return quoteNumber(value, text);
    case 'firstName':
    case 'lastName':
    case 'placeOfBirth':
      return isNameStated(value, text, options) ? quoteName(value, text) : null;
    case 'sex':
      return parseSex(text) === value ? value : null;
    case 'nationality':
      return new RegExp(`\\b${value}\\b`).test(text.toUpperCase()) ? value : null;
    case 'address':
      return text.includes(value) ? value : null;
  }
}

/** The part of a printed text that resembles the value of a field and differs from it, as printed. */
function findVariant({ name, value }: MachineValue, text: string): string | null {
  if (name === 'documentNumber' || name === 'personalNumber') return findNumberVariant(value, text);
  return name === 'firstName' || name === 'lastName' ? findNameVariant(value, text) : null;
}

/** Whether a printed value has the form of the field, so that it states another value if it does not state this one. */
function isOtherValue({ name, value }: MachineValue, text: string): boolean {
  switch (name) {
    case 'dateOfBirth':
    case 'expiryDate':
    case 'issueDate':
      return parsePrintedDates(text).length > 0;
    case 'documentNumber':
      return isNumberLike(text);
    case 'firstName':
      return hasNameWord(text) && !areGivenNamesPart(value, text);
    case 'lastName':
      return hasNameWord(text);
    case 'sex':
      return value !== 'X' && parseSex(text) !== null;
    case 'nationality': {
      const code = text.trim().toUpperCase();
      return /^[A-Z]{3}$/.test(code) && isStateCode(code) && toIsoState(code) !== toIsoState(value);
    }
    case 'personalNumber':
    case 'placeOfBirth':
    case 'address':
      return false;
  }
}

/** Confidence from which a value below its caption contradicts; less reliable print may belong to another caption. */
export const CONTRADICTION_CONFIDENCE = 0.8;

/** What print says about a value: the same or something else, with the line and the words as printed. */
export interface Comparison<T> {
  agrees: boolean;
  source: T;
  text: string;
}

type Rule = <T extends PrintedText>(
  field: MachineValue,
  own: readonly (T & CaptionedText)[],
  lines: readonly T[],
) => Comparison<T> | null;

const compareBy = <T extends PrintedText>(
  agrees: boolean,
  sources: readonly T[],
  quote: (source: T) => string | null,
): Comparison<T> | null => {
  for (const source of sources) {
    const text = quote(source);
    if (text !== null) return { agrees, source, text };
  }
  return null;
};

const byConfidence = <T extends PrintedText>(lines: readonly T[]): T[] =>
  [...lines].sort((a, b) => b.confidence - a.confidence);

/** A name whose words are in different lines, as long names are printed. */
function compareSpreadName<T extends PrintedText>(field: MachineValue, lines: readonly T[]): Comparison<T> | null {
  const words = field.value.split(' ');
  if ((field.name !== 'firstName' && field.name !== 'lastName') || words.length < 2) return null;
  const found = words.map((value, index) => {
    const stated = compareBy(true, lines, ({ text }) => quoteStatement({ ...field, value, truncated: false }, text));
    if (stated !== null || !isShortened(words, index, field)) return stated;
    return compareBy(true, lines, ({ text }) => quoteStatement({ ...field, value }, omitWords(text, words)));
  });
  const [first] = found;
  if (first === undefined || first === null || found.includes(null)) return null;
  return { ...first, text: found.map((one) => one?.text ?? '').join(' ') };
}

/** In order of precedence: the first rule with an answer decides. */
const RULES: readonly Rule[] = [
  // The value under its own caption.
  (field, own) =>
    compareBy(
      true,
      own,
      ({ text }) =>
        quoteStatement(field, text) ??
        (field.name === 'firstName' && areGivenNamesPart(field.value, text) ? text : null),
    ),
  // Another value next to its caption, or a slightly different one, whatever else the page states.
  (field, own) =>
    compareBy(false, own, ({ text, sameLine }) => (sameLine && isOtherValue(field, text) ? text : null)) ??
    compareBy(false, own, ({ text }) => findVariant(field, text)),
  // The value anywhere: captions may be unknown or belong to another line.
  (field, _own, lines) =>
    compareBy(true, byConfidence(lines), ({ text }) => quoteStatement(field, text)) ?? compareSpreadName(field, lines),
  (field, own) =>
    compareBy(false, own, ({ text, confidence }) =>
      confidence >= CONTRADICTION_CONFIDENCE && isOtherValue(field, text) ? text : null,
    ),
  (field, _own, lines) => compareBy(false, byConfidence(lines), ({ text }) => findVariant(field, text)),
];

/**
 * Compares a value of a zone or barcode with print. One differing character of a number or a name is a difference.
 *
 * @param captioned values by their captions
 * @param lines all lines of print
 * @returns null if print states neither the value nor another one
 */
export function compareWithPrint<T extends PrintedText>(
  field: MachineValue,
  captioned: readonly (T & CaptionedText)[],
  lines: readonly T[],
): Comparison<T> | null {
  const own = captioned.filter(({ name }) => name === field.name);
  for (const rule of RULES) {
    const found = rule(field, own, lines);
    if (found !== null) return found;
  }
  return null;
}

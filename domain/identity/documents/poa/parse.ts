import { detectDateOrder, findIssueDate } from './dates';
import { findIssuer, detectProofType } from './kinds';
import { detectLanguage } from './language';
import { joinLines } from './layout';
import type { TextPiece } from './layout';
import { findRecipient } from './recipient';
import { mirrorRightToLeftPages, toAsciiDigits, toWesternThaiDates } from './scripts';
import type { AddressProofResult } from './result';

/** The fields read from the text of a letter. */
export type ParsedProof = Pick<
  AddressProofResult,
  'documentType' | 'issuer' | 'issueDate' | 'language' | 'name' | 'otherNames' | 'address'
>;

/**
 * Parses the text of a proof of address. Digits of every script are returned as 0 to 9.
 *
 * @param pieces pieces of text with their positions, in any order
 * @param today YYYY-MM-DD; a date after it is in the future
 */
export function parseProof(pieces: readonly TextPiece[], today: string): ParsedProof {
  const readable = pieces.map((piece) => ({ ...piece, text: toAsciiDigits(piece.text) }));
  const lines = joinLines(mirrorRightToLeftPages(readable));
  const text = lines.map((line) => line.text).join('\n');
  const language = detectLanguage(text);
  const dated = language === 'th' ? lines.map((line) => ({ ...line, text: toWesternThaiDates(line.text) })) : lines;
  const { names, address } = findRecipient(lines, language);
  const [name = null, ...otherNames] = names;
  return {
    documentType: detectProofType(text),
    issuer: findIssuer(lines, names),
    issueDate: findIssueDate(dated, detectDateOrder(text, address?.country ?? null), today),
    language,
    name,
    otherNames,
    address,
  };
}

import { dateOrderOf, issueDateOf } from './dates';
import { issuerOf, proofTypeOf } from './kinds';
import { languageOf } from './language';
import { linesOf } from './layout';
import type { TextPiece } from './layout';
import { recipientOf } from './recipient';
import type { AddressProofResult } from './result';

/** What the text of a letter says. */
export type ParsedProof = Pick<
  AddressProofResult,
  'documentType' | 'issuer' | 'issueDate' | 'language' | 'name' | 'otherNames' | 'address'
>;

/**
 * Reads a proof of address from its text.
 *
 * @param pieces runs of text with their places, in any order
 * @param today YYYY-MM-DD
 */
export function parseProof(pieces: readonly TextPiece[], today: string): ParsedProof {
  const lines = linesOf(pieces);
  const text = lines.map((line) => line.text).join('\n');
  const language = languageOf(text);
  const { names, address } = recipientOf(lines, language);
  const [name = null, ...otherNames] = names;
  return {
    documentType: proofTypeOf(text),
    issuer: issuerOf(lines, names),
    issueDate: issueDateOf(lines, dateOrderOf(text, address?.country ?? null), today),
    language,
    name,
    otherNames,
    address,
  };
}

import { namesAgree } from '../../sessions/expected-details';
import { makeRisk } from '../../checks/risks';
import type { Risk } from '../../checks/risks';
import { addressesAgree } from './comparison';
import type { AddressProofResult } from './result';
import { DAY_MS } from '../../../durations';

/** Limits a proof of address is judged by. */
export const PROOF_LIMITS = {
  /** days after which it proves nothing any more */
  maxAgeDays: 90,
  /** mean certainty of the characters recognised on a picture, 0–1 */
  minConfidence: 0.75,
  /** letters and digits of a page that can be read at all */
  minCharacters: 60,
} as const;

const countDaysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/**
 * The risks a proof of address raises by itself.
 *
 * @param characters letters and digits read
 * @param today YYYY-MM-DD
 */
export function assessProofRisks(
  proof: Pick<AddressProofResult, 'issueDate' | 'issuer' | 'address' | 'confidence'>,
  characters: number,
  today: string,
): Risk[] {
  const { issueDate, issuer, address, confidence } = proof;
  const { maxAgeDays, minConfidence, minCharacters } = PROOF_LIMITS;
  const risks: Risk[] = [];
  if (confidence < minConfidence || characters < minCharacters) {
    risks.push(makeRisk('poa_poor_quality', { details: { confidence, characters } }));
  } else if (issueDate === null) {
    // Without its date nobody can tell how old it is.
    risks.push(makeRisk('poa_poor_quality', { details: { missing: 'issueDate' } }));
  }
  if (issueDate !== null) {
    const ageDays = countDaysBetween(issueDate, today);
    if (ageDays > maxAgeDays) risks.push(makeRisk('poa_too_old', { details: { ageDays, maxAgeDays } }));
    if (ageDays < 0) risks.push(makeRisk('poa_date_in_future', { details: { days: -ageDays } }));
  }
  if (issuer === null) risks.push(makeRisk('poa_issuer_not_found'));
  if (address === null) risks.push(makeRisk('poa_address_not_found'));
  return risks;
}

/** What a proof of address is compared with; null where nothing is known. */
export interface ProofExpectations {
  /** the names of the person by their document or by what the session expects */
  names: readonly string[];
  address: string | null;
}

/** A name on a letter agrees where either is part of the other: letters drop middle names, documents carry them all. */
const isSameName = (one: string, other: string): boolean => namesAgree(one, other) || namesAgree(other, one);

/**
 * Compares a proof of address with the person. What is expected and could not be read counts as not agreeing; details name
 * fields, never values.
 */
export function assessProofMismatches(
  { name, otherNames, address }: Pick<AddressProofResult, 'name' | 'otherNames' | 'address'>,
  expected: ProofExpectations,
): Risk[] {
  const read = name === null ? [] : [name, ...otherNames];
  const risks: Risk[] = [];
  if (
    expected.names.length > 0 &&
    !expected.names.some((expectedName) => read.some((other) => isSameName(expectedName, other)))
  ) {
    risks.push(makeRisk('poa_name_mismatch', { details: { found: name !== null } }));
  }
  // An address that was not found is a risk of its own.
  if (expected.address !== null && address !== null && !addressesAgree(expected.address, address)) {
    risks.push(makeRisk('poa_address_mismatch'));
  }
  return risks;
}

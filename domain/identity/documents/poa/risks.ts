import { namesAgree } from '../../sessions/expected-details';
import { makeRisk } from '../../checks/risks';
import type { Risk } from '../../checks/risks';
import { addressesAgree } from './comparison';
import type { AddressProofResult } from './result';
import { DAY_MS } from '../../../durations';

/** Limits by which a proof of address is evaluated. */
export const PROOF_LIMITS = {
  /** Maximum age in days. */
  maxAgeDays: 90,
  /** Minimum mean confidence of the characters recognised on an image, 0–1. */
  minConfidence: 0.75,
  /** Minimum number of letters and digits on a legible page. */
  minCharacters: 60,
} as const;

const countDaysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/**
 * The risks of a proof of address by itself.
 *
 * @param characters number of letters and digits read
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
    // Without its date its age is unknown.
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

/** The data that a proof of address is compared with; null if unknown. */
export interface ProofExpectations {
  /** Names of the person, from the document or the expected details. */
  names: readonly string[];
  address: string | null;
}

/** Names agree if either contains the other: letters omit middle names, documents have all of them. */
const isSameName = (one: string, other: string): boolean => namesAgree(one, other) || namesAgree(other, one);

/**
 * Compares a proof of address with the person. An expected value that could not be read counts as different. The risks
 * name fields, never values.
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
  // An address that was not found has a risk of its own.
  if (expected.address !== null && address !== null && !addressesAgree(expected.address, address)) {
    risks.push(makeRisk('poa_address_mismatch'));
  }
  return risks;
}

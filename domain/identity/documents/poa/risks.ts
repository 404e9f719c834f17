import type { CalendarDays } from '../../calendar-days';
import { namesAgree } from '../../sessions/expected-details';
import { buildRisk } from '../../checks/risks';
import type { Risk, RiskCode } from '../../checks/risks';
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
  /** Minimum number of lines, and sharpness of their text, of a letter that people can read. */
  minLines: 6,
  minSharpness: 25,
} as const;

const countDaysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** How well the text of a letter was recognised. */
export interface ProofLegibility {
  /** Number of letters and digits read. */
  characters: number;
  /** Number of lines found, legible or not. */
  lines: number;
  /** Sharpness of the text, 0–100; null for a text layer. */
  sharpness: number | null;
  /** True if most letters are of a script whose addresses are not parsed. */
  foreignScript: boolean;
}

/**
 * Whether a letter is legible for people but was not understood: its script is not one that is parsed, or its text is
 * sharp and was recognised as nonsense, as letters outside the alphabet of recognition are.
 */
function isUnsupportedScript(
  { language, address, confidence }: Pick<AddressProofResult, 'language' | 'address' | 'confidence'>,
  { lines, sharpness, foreignScript, characters }: ProofLegibility,
): boolean {
  const { minLines, minSharpness, minConfidence, minCharacters } = PROOF_LIMITS;
  // Digits are read in any script: an address without a known language around it may go with the wrong date.
  const isSharp = sharpness !== null && lines >= minLines && sharpness >= minSharpness;
  if (isSharp && language === null) return true;
  if (address !== null) return false;
  if (foreignScript) return true;
  if (sharpness === null) return characters >= minCharacters && language === null;
  return isSharp && confidence < minConfidence;
}

/**
 * The risks of a proof of address by itself.
 *
 * @param days the days of reading
 */
export function assessProofRisks(
  proof: Pick<AddressProofResult, 'issueDate' | 'issuer' | 'address' | 'confidence' | 'name' | 'language'>,
  legibility: ProofLegibility,
  { earliest, latest }: CalendarDays,
): Risk[] {
  const { issueDate, issuer, address, confidence, name } = proof;
  const { maxAgeDays, minConfidence, minCharacters } = PROOF_LIMITS;
  const { characters } = legibility;
  const risks: Risk[] = [];
  // What is not read cannot be missing: a reviewer reads it.
  const isUnsupported = isUnsupportedScript(proof, legibility);
  if (isUnsupported) risks.push(buildRisk('poa_script_not_supported'));
  else if (confidence < minConfidence || characters < minCharacters) {
    risks.push(buildRisk('poa_poor_quality', { details: { confidence, characters } }));
  } else if (issueDate === null) {
    // Without its date its age is unknown, and no other capture of the same letter shows one.
    risks.push(buildRisk('poa_poor_quality', { action: 'decline', details: { missing: 'issueDate' } }));
  }
  if (issueDate !== null) {
    const ageDays = countDaysBetween(issueDate, earliest);
    const daysAhead = countDaysBetween(latest, issueDate);
    if (ageDays > maxAgeDays) risks.push(buildRisk('poa_too_old', { details: { ageDays, maxAgeDays } }));
    if (daysAhead > 0) risks.push(buildRisk('poa_date_in_future', { details: { days: daysAhead } }));
  }
  if (isUnsupported) return risks;
  if (issuer === null) risks.push(buildRisk('poa_issuer_not_found'));
  if (address === null) risks.push(buildRisk('poa_address_not_found'));
  if (name === null) risks.push(buildRisk('poa_name_not_found'));
  return risks;
}

/** The data that a proof of address is compared with; null if unknown. */
export interface ProofExpectations {
  /** Names of the person, from the document or the expected details. */
  names: readonly string[];
  address: string | null;
}

/** The risks that {@link assessProofMismatches} finds. */
const MISMATCHES: readonly RiskCode[] = ['poa_name_mismatch', 'poa_address_mismatch'];

/** The risks of a proof of address by itself, without those of its comparison with the person. */
export const omitMismatches = (risks: readonly Risk[]): Risk[] =>
  risks.filter(({ code }) => !MISMATCHES.includes(code));

/** Names agree if either contains the other: letters omit middle names, documents have all of them. */
const isSameName = (one: string, other: string): boolean => namesAgree(one, other) || namesAgree(other, one);

/**
 * Compares a proof of address with the person. What could not be read has a risk of its own. The risks name fields,
 * never values.
 */
export function assessProofMismatches(
  { name, otherNames, address }: Pick<AddressProofResult, 'name' | 'otherNames' | 'address'>,
  expected: ProofExpectations,
): Risk[] {
  const read = [...(name === null ? [] : [name]), ...otherNames];
  const risks: Risk[] = [];
  // A name that was not found has a risk of its own.
  if (
    expected.names.length > 0 &&
    name !== null &&
    !expected.names.some((expectedName) => read.some((other) => isSameName(expectedName, other)))
  ) {
    risks.push(buildRisk('poa_name_mismatch'));
  }
  // An address that was not found has a risk of its own.
  if (expected.address !== null && address !== null && !addressesAgree(expected.address, address)) {
    risks.push(buildRisk('poa_address_mismatch'));
  }
  return risks;
}

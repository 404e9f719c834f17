import { personValidators, stdnum } from 'stdnum';
import { readEncodedDetails } from './encoded-details';
import type { EncodedDetails } from './encoded-details';

type Validator = (typeof stdnum)[string][string];

/** Validators of personal numbers that the library lists in other categories. */
const ADDITIONAL_VALIDATORS: Readonly<Record<string, readonly (Validator | undefined)[]>> = {
  PT: [stdnum['PT']?.['cc']],
  PL: [stdnum['PL']?.['pesel']],
};

/** Verdict on a number by its structure and check digits. */
export type NumberVerdict =
  | { status: 'valid'; encoded: EncodedDetails | null }
  | { status: 'invalid' }
  /** There are no rules for numbers of this country. */
  | { status: 'unsupported' };

const listValidators = (country: string): readonly Validator[] => {
  const listed: readonly Validator[] = personValidators[country] ?? [];
  const more = (ADDITIONAL_VALIDATORS[country] ?? []).filter((validator) => validator !== undefined);
  return [...listed, ...more];
};

/** Countries with rules for national numbers, ISO 3166-1 alpha-2. */
export const NUMBER_COUNTRIES: readonly string[] = Object.keys(personValidators).sort();

/** Some validators throw on malformed input. */
function runValidator(validator: Validator, idNumber: string): ReturnType<Validator['validate']> | null {
  try {
    return validator.validate(idNumber);
  } catch {
    return null;
  }
}

/**
 * Checks the structure and check digits of a national number. A valid number may be unassigned.
 * @param country ISO 3166-1 alpha-2
 */
export function checkNationalNumber(country: string, idNumber: string): NumberVerdict {
  const validators = listValidators(country);
  if (validators.length === 0) return { status: 'unsupported' };
  for (const validator of validators) {
    const verdict = runValidator(validator, idNumber);
    if (verdict?.isValid !== true || (verdict.isCompany && !verdict.isIndividual)) continue;
    return { status: 'valid', encoded: readEncodedDetails(country, verdict.compact) };
  }
  return { status: 'invalid' };
}

import { checkNationalNumber } from '../../domain/identity/database-validation/national-number';
import { validateClaims } from '../../domain/identity/database-validation/validate';
import type { DatabaseClaims, DatabaseResult } from '../../domain/identity/database-validation/validate';
import { compactNumber } from '../../domain/identity/registers/rows';
import { findPerson } from '../../services/identity/registers/lookup';
import type { Platform, Scope } from '../../services/platform/platform';

/** Validates a person's claims against the organisation's register and the rules of the country's numbers. */
export async function validatePerson(
  platform: Platform,
  scope: Scope,
  claims: DatabaseClaims,
  hasImage: boolean,
): Promise<DatabaseResult> {
  const { country, idNumber } = claims;
  const lookup = await findPerson(platform, scope, country, compactNumber(idNumber));
  const register = lookup === null ? null : { person: lookup.found, dataAt: lookup.dataAt.toISOString() };
  return validateClaims(claims, checkNationalNumber(country, idNumber), register, hasImage);
}

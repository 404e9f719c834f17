import { compactNumber } from '../rows';
import type { CompanyStatus } from '../../kyb/company';

// What the API of GLEIF and its golden copy have in common: both publish LEI-CDF.

/** The country of a jurisdiction (ISO 3166-1 alpha-2): jurisdictions are countries or their parts, such as `US-DE`. */
export const getJurisdictionCountry = (jurisdiction: string | null): string | null => jurisdiction?.slice(0, 2) ?? null;

/** A company's state by `EntityStatus` and `EntityExpirationReason`. */
export function toCompanyStatus(status: string | null, expirationReason: string | null): CompanyStatus {
  if (status === 'ACTIVE') return 'active';
  if (status !== 'INACTIVE') return 'unknown';
  return expirationReason === 'DISSOLVED' ? 'dissolved' : 'inactive';
}

/** The day of an instant; null where there is none. */
export const toDateString = (instant: string | null): string | null => instant?.slice(0, 10) ?? null;

/** A number as registers compare it; null where there is none. */
export const normaliseRegistrationNumber = (registeredAs: string | null): string | null =>
  registeredAs === null ? null : compactNumber(registeredAs);

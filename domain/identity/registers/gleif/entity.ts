import { compactNumber } from '../rows';
import type { CompanyStatus } from '../../kyb/company';

// Shared by the GLEIF API and the golden copy: both publish LEI-CDF.

/**
 * The country of a jurisdiction (ISO 3166-1 alpha-2). A jurisdiction is a country or a part of one, such as `US-DE`.
 */
export const getJurisdictionCountry = (jurisdiction: string | null): string | null => jurisdiction?.slice(0, 2) ?? null;

/** The status of a company by `EntityStatus` and `EntityExpirationReason`. */
export function toCompanyStatus(status: string | null, expirationReason: string | null): CompanyStatus {
  if (status === 'ACTIVE') return 'active';
  if (status !== 'INACTIVE') return 'unknown';
  return expirationReason === 'DISSOLVED' ? 'dissolved' : 'inactive';
}

/** The date of an instant; null for null. */
export const toDateString = (instant: string | null): string | null => instant?.slice(0, 10) ?? null;

/** A registration number in the form in which registers compare it; null for null. */
export const normaliseRegistrationNumber = (registeredAs: string | null): string | null =>
  registeredAs === null ? null : compactNumber(registeredAs);

import { DAY_SECONDS, HOUR_SECONDS } from '../../durations';
import { parseVatNumber } from '../../platform/vat-numbers';
import type { VatNumber } from '../../platform/vat-numbers';
import { parseVatIdentifier } from '../documents/einvoice/identifiers';
import { isUnionVatIdentifier } from '../settings/tax-profiles';
import { isUnionMember } from '../settings/countries';

/** Whose VAT identifier is verified. */
export const TAX_ID_HOLDERS = ['customer', 'vendor', 'company'] as const;
export type TaxIdHolder = (typeof TAX_ID_HOLDERS)[number];

/** `unavailable` is queried again until its attempts are used up; `replaced` was overtaken by a later request. */
export const TAX_ID_VERIFICATION_STATUSES = ['pending', 'valid', 'invalid', 'unavailable', 'replaced'] as const;
export type TaxIdVerificationStatus = (typeof TAX_ID_VERIFICATION_STATUSES)[number];

/** Statuses of a verification that is not complete. */
export const OPEN_VERIFICATIONS = ['pending', 'unavailable'] as const;

const MINUTE_SECONDS = 60;

/**
 * Delays in seconds after the first, second, … query without a result. The first is short: a member state refuses a query
 * while it has too many; the others outlast the nightly maintenance and outages of several days.
 */
export const VERIFICATION_RETRY_DELAYS_SECONDS: readonly number[] = [
  10,
  MINUTE_SECONDS,
  10 * MINUTE_SECONDS,
  HOUR_SECONDS,
  4 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  ...Array.from({ length: 10 }, () => DAY_SECONDS),
];

/** A tax number as VIES accepts it; null if it is no VAT identifier of a member state. */
export function toVatNumber(taxId: string | null): VatNumber | null {
  if (!isUnionVatIdentifier(taxId)) return null;
  return parseVatNumber({ vatNumber: parseVatIdentifier(taxId, { country: null }), country: null });
}

/**
 * Whether a new tax number is verified without a request: the company's own, and those of parties in other member states,
 * whose tax depends on it.
 * @param country country of the company
 */
export function isVerifiedAutomatically(holder: TaxIdHolder, taxId: string | null, country: string | null): boolean {
  const vat = toVatNumber(taxId);
  if (vat === null || country === null || !isUnionMember(country)) return false;
  return holder === 'company' || vat.prefix !== (country === 'GR' ? 'EL' : country);
}

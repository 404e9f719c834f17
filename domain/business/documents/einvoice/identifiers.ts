import { VAT_PREFIXES } from '../../../platform/vat-numbers';
import type { PostalAddress } from '../../invoices/invoice';

/** Prefixes of VAT identifiers in the EU, with EL for Greece and XI for Northern Ireland (2006/112/EC, article 215). */
const UNION_PREFIXES: ReadonlySet<string> = new Set([...VAT_PREFIXES, 'GR']);

const normaliseTaxId = (taxId: string): string => taxId.replace(/[\s./-]/gu, '').toUpperCase();

/**
 * Returns a tax number that is a VAT identifier: it begins with an EU prefix or the country of its holder (BR-CO-09).
 * @returns null for a number without such a prefix, such as a national tax number.
 */
export function parseVatIdentifier(taxId: string | null, address: Pick<PostalAddress, 'country'>): string | null {
  const text = normaliseTaxId(taxId ?? '');
  const prefix = text.slice(0, 2);
  const hasKnownPrefix = UNION_PREFIXES.has(prefix) || prefix === address.country;
  return hasKnownPrefix && /^[A-Z]{2}[A-Z0-9+*]*\d[A-Z0-9+*]*$/.test(text) ? text : null;
}

/** Returns a tax number that is not a VAT identifier, unchanged. */
export const getNonVatTaxNumber = (taxId: string | null, address: PostalAddress): string | null =>
  parseVatIdentifier(taxId, address) === null && taxId !== null && taxId.trim() !== '' ? taxId.trim() : null;

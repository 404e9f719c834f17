import type { CompanyQuery, KybProviderName } from './company';

/** Prefixes of VAT numbers that VIES knows: the member states (Greece being EL) and Northern Ireland. */
const VAT_PREFIXES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

/** A VAT number as VIES takes it. */
export interface VatNumber {
  /** VIES's own code of the state */
  prefix: string;
  /** without the prefix */
  number: string;
}

const toVatPrefix = (country: string): string => (country === 'GR' ? 'EL' : country);

/**
 * The VAT number of a query, whether it was written with its prefix or without; null where there is none, or none of a
 * state that VIES knows.
 */
export function parseVatNumber({ vatNumber, country }: CompanyQuery): VatNumber | null {
  if (vatNumber === null) return null;
  const written = toVatPrefix(vatNumber.slice(0, 2));
  if (VAT_PREFIXES.has(written)) return { prefix: written, number: vatNumber.slice(2) };
  const prefix = country === null ? '' : toVatPrefix(country);
  return VAT_PREFIXES.has(prefix) ? { prefix, number: vatNumber } : null;
}

/** The country a VAT prefix stands for: ISO 3166-1 alpha-2. */
export const getVatCountry = (prefix: string): string => ({ EL: 'GR', XI: 'GB' })[prefix] ?? prefix;

/** Whether a register may know the company that is asked for. */
export function covers(provider: KybProviderName, query: CompanyQuery): boolean {
  switch (provider) {
    case 'companies_house':
      return query.country === null || query.country === 'GB';
    case 'vies':
      return parseVatNumber(query) !== null;
    case 'register':
    case 'gleif':
    case 'sandbox':
      return true;
  }
}

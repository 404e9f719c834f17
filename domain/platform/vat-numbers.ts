/** VAT number prefixes that VIES supports: the member states (Greece is EL) and Northern Ireland. */
export const VAT_PREFIXES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

/** A VAT number as VIES accepts it. */
export interface VatNumber {
  /** State code as used by VIES. */
  prefix: string;
  /** VAT number without the prefix. */
  number: string;
}

const toVatPrefix = (country: string): string => (country === 'GR' ? 'EL' : country);

/**
 * The parts of a VAT number, written with or without its prefix; null if there is none, or none of a state that VIES
 * supports.
 */
export function parseVatNumber({
  vatNumber,
  country,
}: {
  vatNumber: string | null;
  country: string | null;
}): VatNumber | null {
  if (vatNumber === null) return null;
  const written = toVatPrefix(vatNumber.slice(0, 2));
  if (VAT_PREFIXES.has(written)) return { prefix: written, number: vatNumber.slice(2) };
  const prefix = country === null ? '' : toVatPrefix(country);
  return VAT_PREFIXES.has(prefix) ? { prefix, number: vatNumber } : null;
}

/** The country of a VAT prefix, ISO 3166-1 alpha-2. */
export const getVatCountry = (prefix: string): string => ({ EL: 'GR', XI: 'GB' })[prefix] ?? prefix;

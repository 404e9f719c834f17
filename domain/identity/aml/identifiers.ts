/** Shorter numbers are not looked up: too many entries share them. */
const MIN_IDENTIFIER_LENGTH = 5;

/**
 * Normalises a document number for comparison: capital letters and digits without a prefix such as `IMO`.
 * @returns null if too little is left to identify anyone
 */
export function normaliseIdentifier(value: string): string | null {
  const normal = value
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^(?:IMO|MMSI|PASSPORT|NO\.?|NR\.?)\s*/, '')
    .replace(/[^A-Z0-9]+/g, '');
  return normal.length >= MIN_IDENTIFIER_LENGTH && /\d/.test(normal) ? normal : null;
}

/** Shortest number that is looked up: shorter ones are shared by too many. */
const MIN_IDENTIFIER_LENGTH = 5;

/**
 * A document number as it is compared: capitals and digits alone, without a word such as `IMO` before them.
 * @returns null where too little is left to identify anyone
 */
export function normaliseIdentifier(value: string): string | null {
  const normal = value
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^(?:IMO|MMSI|PASSPORT|NO\.?|NR\.?)\s*/, '')
    .replace(/[^A-Z0-9]+/g, '');
  return normal.length >= MIN_IDENTIFIER_LENGTH && /\d/.test(normal) ? normal : null;
}

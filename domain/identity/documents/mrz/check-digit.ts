const WEIGHTS = [7, 3, 1] as const;

/**
 * Value of a character of the zone: 0–9 for digits, 10–35 for A–Z, 0 for the filler (ICAO Doc 9303-3, 4.9); null for
 * others.
 */
export function getCharacterValue(character: string): number | null {
  if (character === '<') return 0;
  if (/^[0-9]$/.test(character)) return Number(character);
  if (/^[A-Z]$/.test(character)) return character.charCodeAt(0) - 55;
  return null;
}

/** The check digit of a string, weights 7-3-1 modulo 10; null if a character is not in the alphabet of the zone. */
export function computeCheckDigit(text: string): number | null {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = getCharacterValue(text.charAt(index));
    if (value === null) return null;
    sum += value * (WEIGHTS[index % 3] ?? 0);
  }
  return sum % 10;
}

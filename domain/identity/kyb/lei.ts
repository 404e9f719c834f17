/**
 * Whether the text is a legal entity identifier (ISO 17442): 18 letters or digits and two check digits by ISO 7064 MOD
 * 97-10.
 */
export function isLei(value: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(value)) return false;
  const digits = [...value].map((character) => parseInt(character, 36).toString()).join('');
  return BigInt(digits) % 97n === 1n;
}

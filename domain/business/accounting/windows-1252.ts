/** The characters of Windows-1252 that differ from Latin-1, by code point. */
const SPECIAL_BYTES: ReadonlyMap<string, number> = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, index): [string, number] => {
    // 0x81, 0x8D, 0x8F, 0x90 and 0x9D are not assigned.
    const byte = 0x80 + index;
    const gaps = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
    return [character, gaps.reduce((code, gap) => (code >= gap ? code + 1 : code), byte)];
  }),
);

const REPLACEMENT = 0x3f;

function encodeCharacter(character: string): number {
  const code = character.codePointAt(0) ?? REPLACEMENT;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  return SPECIAL_BYTES.get(character) ?? REPLACEMENT;
}

/** Encodes a text in Windows-1252, which Node.js can only decode; other characters become a question mark. */
export const encodeWindows1252 = (text: string): Buffer => Buffer.from([...text.normalize('NFC')].map(encodeCharacter));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 forbids even escaped: controls, lone surrogates and two non-characters. */
const FORBIDDEN_CHARACTERS = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Escapes the characters that are markup in element content and in quoted attribute values. */
export const escapeXmlMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Escapes text for element content and for quoted attribute values; characters that XML forbids are removed. */
export const escapeXml = (text: string): string => escapeXmlMarkup(text.replace(FORBIDDEN_CHARACTERS, ''));

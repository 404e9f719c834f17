/** Markup that is inserted into a page without escaping. */
export class SafeHtml {
  constructor(readonly markup: string) {}
}

type Interpolation = string | number | SafeHtml | readonly SafeHtml[] | null | undefined | false;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Lone surrogates are not characters; they are replaced. */
const LONE_SURROGATES = /\p{Cs}/gu;

/** Control characters have no glyph; they are removed, except tab and line feed. */
const CONTROL_CHARACTERS = /(?![\t\n])\p{Cc}/gu;

/** Escapes text for element content and for quoted attribute values. */
export const escapeHtml = (text: string): string =>
  text
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(CONTROL_CHARACTERS, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

function renderInterpolation(value: Interpolation): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof SafeHtml) return value.markup;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map((part) => part.markup).join('');
}

/** Template tag: the literal parts are markup, every interpolated string is escaped. */
export const html = (literals: TemplateStringsArray, ...values: readonly Interpolation[]): SafeHtml =>
  new SafeHtml(literals.reduce((markup, literal, index) => markup + renderInterpolation(values[index - 1]) + literal));

/** Quotes text as a CSS string: everything except letters, digits and spaces becomes a CSS escape. */
export function quoteCssString(text: string): string {
  const escaped = text
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(/[^\p{L}\p{N} ]/gu, (character) => `\\${(character.codePointAt(0) ?? 0xfffd).toString(16)} `);
  return `"${escaped}"`;
}

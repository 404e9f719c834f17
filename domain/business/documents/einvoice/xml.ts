/** One element or nothing; made by {@link element} alone. */
export type Xml = string | null;

/** What XML 1.0 cannot hold even escaped: controls, halves of surrogate pairs and two non-characters. */
const INVALID_XML_CHARACTERS = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string =>
  text.replace(INVALID_XML_CHARACTERS, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const tag = (name: string, attributes: Readonly<Record<string, string>>, content: string): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
};

/** An element with text; nothing where there is no text to say. */
export const text = (name: string, value: string | null, attributes: Readonly<Record<string, string>> = {}): Xml =>
  value === null || value === '' ? null : tag(name, attributes, escapeXml(value));

/** An element with elements; nothing where all of them are nothing, as neither syntax allows an empty one. */
export function element(name: string, ...children: readonly (Xml | readonly Xml[])[]): Xml {
  const content = children.flat().filter((child) => child !== null);
  return content.length === 0 ? null : tag(name, {}, content.join(''));
}

/** A whole document: its root with the namespaces of the prefixes in it. */
export const buildXmlDocument = (
  root: string,
  namespaces: Readonly<Record<string, string>>,
  ...children: readonly (Xml | readonly Xml[])[]
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${tag(
    root,
    Object.fromEntries(
      Object.entries(namespaces).map(([prefix, uri]) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri]),
    ),
    children
      .flat()
      .filter((child) => child !== null)
      .join(''),
  )}\n`;

import { escapeXml } from '../../../xml-escape';

/** The markup of one element, or null for none; created by {@link text} and {@link element}. */
export type Xml = string | null;

const tag = (name: string, attributes: Readonly<Record<string, string>>, content: string): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
};

/** An element with text; null if the text is null or empty. */
export const text = (name: string, value: string | null, attributes: Readonly<Record<string, string>> = {}): Xml =>
  value === null || value === '' ? null : tag(name, attributes, escapeXml(value));

/** An element with child elements; null if all of them are null, because neither syntax allows an empty element. */
export function element(name: string, ...children: readonly (Xml | readonly Xml[])[]): Xml {
  const content = children.flat().filter((child) => child !== null);
  return content.length === 0 ? null : tag(name, {}, content.join(''));
}

/** A complete document: the root element with its namespace declarations. */
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

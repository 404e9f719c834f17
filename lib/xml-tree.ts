import { SaxesParser } from 'saxes';

/** An element with its children, attributes and own text, without namespaces. */
export interface XmlElement {
  /** Local name. */
  name: string;
  /** Namespace of the element. */
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** Text directly within the element, trimmed. */
  text: string;
}

/** Limits of a document that a client sends. */
export interface XmlLimits {
  maxDepth: number;
  /** Elements and attributes of the document. */
  maxNodes: number;
  /** Attributes of one element. */
  maxAttributes: number;
}

/** A document that is not well-formed, has a document type, or exceeds the limits. */
export class XmlError extends Error {}

/**
 * Receives each element when it ends, with those around it from the outermost. An element for which it returns true is
 * not kept in the tree, so that a document of many equal elements need not be in memory as a whole.
 */
export type XmlElementReader = (element: XmlElement, ancestors: readonly XmlElement[]) => boolean;

/** Most elements have none, and a map each would take most of the memory. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

interface Building extends XmlElement {
  parts: string[];
}

/**
 * Reads an XML document into a tree. Document types are refused, so that no entity can be declared, and nothing is
 * fetched.
 * @param read can take elements from the tree; what it throws ends the reading
 * @throws XmlError naming the problem
 */
export function parseXml(text: string, limits: XmlLimits, read?: XmlElementReader): XmlElement {
  const { maxDepth, maxNodes, maxAttributes } = limits;
  const parser = new SaxesParser({ xmlns: true });
  const open: Building[] = [];
  let root: Building | null = null;
  let nodes = 0;
  let attributesOfTag = 0;
  const countNode = (): void => {
    nodes += 1;
    if (nodes > maxNodes) throw new XmlError(`must have at most ${maxNodes} elements and attributes`);
  };
  parser.on('doctype', () => {
    throw new XmlError('must not have a document type');
  });
  parser.on('error', (error) => {
    throw new XmlError(`is not well-formed XML: ${error.message}`);
  });
  // While a tag is read: the parser itself holds all of its attributes.
  parser.on('attribute', () => {
    countNode();
    attributesOfTag += 1;
    if (attributesOfTag > maxAttributes)
      throw new XmlError(`must have at most ${maxAttributes} attributes in an element`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    countNode();
    attributesOfTag = 0;
    if (open.length >= maxDepth) throw new XmlError(`must have at most ${maxDepth} levels of elements`);
    const values = Object.values(attributes).map((attribute): [string, string] => [attribute.local, attribute.value]);
    const own = values.length === 0 ? NO_ATTRIBUTES : new Map(values);
    const element = { name: local, namespace: uri, attributes: own, children: [], text: '', parts: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (part: string): void => void open.at(-1)?.parts.push(part);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element === undefined) return;
    element.text = element.parts.join('').trim();
    element.parts = [];
    if (read?.(element, open) === true) open.at(-1)?.children.pop();
  });
  parser.write(text).close();
  if (root === null) throw new XmlError('is not well-formed XML: it has no element');
  return root;
}

/** The children with a name. */
export const findChildren = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** The first element at a path of names. */
export const findElement = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((found, name) => found?.children.find((child) => child.name === name), element);

/** The text at a path of names; null if there is none. */
export const findText = (element: XmlElement | undefined, ...path: readonly string[]): string | null => {
  const text = findElement(element, ...path)?.text ?? '';
  return text === '' ? null : text;
};

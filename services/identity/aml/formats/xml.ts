import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { AppError } from '../../../../domain/errors';

/** An XML element with its content. */
export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlNode[];
  text: string;
}

/** The child elements of a name. */
export const getChildren = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter((child) => child.name === name);

/** Elements at the end of a path of element names. */
export const findNodes = (node: XmlNode, ...path: string[]): XmlNode[] =>
  path.reduce<XmlNode[]>((nodes, name) => nodes.flatMap((each) => getChildren(each, name)), [node]);

/** The text of the first element at the end of a path; empty if there is none. */
export const getText = (node: XmlNode, ...path: string[]): string => findNodes(node, ...path)[0]?.text.trim() ?? '';

/** The texts of all elements at the end of a path, without empty ones. */
export const getTexts = (node: XmlNode, ...path: string[]): string[] =>
  findNodes(node, ...path)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');

const toLocalName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Collects the elements of the given names and discards all others. */
function createCollector(elementNames: ReadonlySet<string>) {
  const open: XmlNode[] = [];
  const done: XmlNode[] = [];
  const parser = new SaxesParser({});
  parser.on('opentag', ({ name, attributes }) => {
    const local = toLocalName(name);
    if (open.length === 0 && !elementNames.has(local)) return;
    const localAttributes = Object.entries(attributes as Record<string, string>).map(([key, value]) => [
      toLocalName(key),
      value,
    ]);
    open.push({
      name: local,
      attributes: Object.fromEntries(localAttributes) as Record<string, string>,
      children: [],
      text: '',
    });
  });
  const addText = (text: string): void => {
    const node = open.at(-1);
    if (node !== undefined) node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    const parent = open.at(-1);
    if (node === undefined) return;
    if (parent === undefined) done.push(node);
    else parent.children.push(node);
  });
  return { parser, done };
}

/**
 * Streams the elements of the given names. Declared entities and external documents are never read.
 * @throws AppError `invalid_list` if the file is not well-formed XML or ends within an element
 */
export async function* readXmlElements(stream: Readable, names: readonly string[]): AsyncIterable<XmlNode> {
  const { parser, done } = createCollector(new Set(names));
  const decoder = new StringDecoder('utf8');
  try {
    for await (const chunk of stream) {
      // Some files end with the DOS end-of-file mark, which is invalid in XML.
      parser.write(decoder.write(chunk as Buffer).replaceAll('\u001a', ''));
      yield* done.splice(0);
    }
    parser.close();
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    throw new AppError('invalid_list', 422, `The file is not a complete XML document: ${error.message.slice(0, 200)}`);
  }
  yield* done.splice(0);
}

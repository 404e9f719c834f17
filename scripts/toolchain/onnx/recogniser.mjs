// Divides the text recogniser, most of whose time goes into classes that Latin, Greek and Cyrillic text does not need:
// its dictionary is mainly Chinese. The classes are reordered so that those of the alphabets come first; the recogniser
// computes only these, and returns the features from which a second network, the head, computes all of them.
import { FLOAT, writeValueInfo } from './model.mjs';

/** Classes before and after those of the dictionary: the blank of the CTC, and the space. */
const BLANK = '';
const SPACE = ' ';

/** Ranges of code points, inclusive: alphabets with their punctuation, and forms that the recogniser mixes with them. */
const ALPHABETS = [
  [0x0020, 0x052f], // Latin, accents, Greek, Cyrillic
  [0x1e00, 0x214f], // further Latin and Greek, punctuation, superscripts, currencies, letter-like symbols
  [0x2227, 0x2227], // ∧, 〈 and く are read for the filler of a machine-readable zone
  [0x25a0, 0x25ff], // bullets and boxes
  [0x3000, 0x301f], // Chinese punctuation
  [0x304f, 0x304f],
  [0xff01, 0xff5e], // wide forms of ASCII
  [0xffe0, 0xffe6],
];

const isOfAlphabets = (entry) =>
  entry === BLANK ||
  [...entry].every((character) =>
    ALPHABETS.some(([first, last]) => first <= character.codePointAt(0) && character.codePointAt(0) <= last),
  );

/**
 * @param {Buffer} published the published dictionary: one entry a line, without blank and space
 * @returns {{entries: string[], order: number[], kept: number}} the entries in the new order with the former class of
 * each, and the number of those that belong to the alphabets
 */
function reorderDictionary(published) {
  const lines = published.toString('utf8').replace(/\r/g, '').replace(/\n$/, '').split('\n');
  const entries = [BLANK, ...lines, SPACE];
  const classes = entries.map((_, index) => index);
  const first = classes.filter((index) => isOfAlphabets(entries[index]));
  const order = [...first, ...classes.filter((index) => !isOfAlphabets(entries[index]))];
  return { entries: order.map((index) => entries[index]), order, kept: first.length };
}

/** The dictionary in the order of the classes of `cutHead` and `extractHead`: one entry a line, the blank first. */
export const convertDictionary = (published) => Buffer.from(reorderDictionary(published).entries.join('\n'));

/** The last layers: features × weights + bias, then the softmax. */
function findHead({ nodes, constants, outputs }) {
  const producer = (name) => nodes.find((node) => node.outputs.includes(name));
  const softmax = producer(outputs[0].name);
  const sum = producer(softmax.inputs[0]);
  const product = producer(sum.inputs[0]);
  const [features, weightsName] = product.inputs;
  const [weights, bias] = [constants.get(weightsName), constants.get(sum.inputs[1])];
  if (softmax.type !== 'Softmax' || sum.type !== 'Add' || product.type !== 'MatMul' || !weights || !bias) {
    throw new Error('The text recogniser does not end with a linear layer and a softmax.');
  }
  return { nodes: [product, sum, softmax], features, weightsName, weights, biasName: sum.inputs[1], bias };
}

/** Weights and bias of these classes only, in this order. */
function selectClasses({ weights, weightsName, bias, biasName }, order) {
  const [rows, columns] = weights.dims;
  const values = new Float32Array(rows * order.length);
  for (let row = 0; row < rows; row += 1) {
    order.forEach((index, at) => (values[row * order.length + at] = weights.values[row * columns + index]));
  }
  return new Map([
    [weightsName, { type: FLOAT, dims: [rows, order.length], values }],
    [biasName, { type: FLOAT, dims: [order.length], values: Float32Array.from(order, (index) => bias.values[index]) }],
  ]);
}

/**
 * Limits a recogniser to the classes of the alphabets, in place; its second output is the input of the head.
 *
 * @param {ReturnType<import('./model.mjs').readModel>} model
 * @param {Buffer} dictionary the published dictionary
 */
export function cutHead(model, dictionary) {
  const { order, kept } = reorderDictionary(dictionary);
  const head = findHead(model);
  for (const [name, tensor] of selectClasses(head, order.slice(0, kept))) model.constants.set(name, tensor);
  const [{ name }] = model.outputs;
  model.outputs = [
    { name, raw: writeValueInfo(name, ['batch', 'steps', kept]) },
    { name: head.features, raw: writeValueInfo(head.features, ['batch', 'steps', head.weights.dims[0]]) },
  ];
  return model;
}

/** The head for all classes, as a model of its own. */
export function extractHead(model, dictionary) {
  const { order } = reorderDictionary(dictionary);
  const head = findHead(model);
  const [{ name }] = model.outputs;
  return {
    ...model,
    nodes: head.nodes,
    constants: selectClasses(head, order),
    inputs: [{ name: head.features, raw: writeValueInfo(head.features, ['batch', 'steps', head.weights.dims[0]]) }],
    outputs: [{ name, raw: writeValueInfo(name, ['batch', 'steps', order.length]) }],
  };
}

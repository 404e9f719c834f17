// Rewrites a network so that it computes the same with fewer passes over its activations:
//
// - constants that are reshaped become constants of that shape;
// - a hard swish written as x · clip(x + 3, 0, 6) / 6 becomes x · HardSigmoid(x);
// - a factor or a summand after a convolution becomes part of its weights and its bias;
// - a factor and a summand before convolutions become part of theirs, as far as padding with zeros allows; a summand
//   that remains becomes a convolution of its own, which keeps the activations in the layout of convolutions;
// - weights that are so small that their products are denormal numbers, with which processors are slow, become zero.
//
// Weights are computed in double precision and rounded once, so that every machine writes the same file.
import { Graph } from './graph.mjs';
import { FLOAT, readIntegerAttribute, writeAttribute } from './model.mjs';

/** Smaller weights change no output: other weights of the same sums are greater by twenty orders of magnitude. */
const SMALLEST_WEIGHT = 1e-30;
/** A factor that is nearly zero would make the quotient of summand and factor inaccurate. */
const SMALLEST_FACTOR = 1e-4;

function foldReshapes(graph) {
  for (const node of [...graph.model.nodes]) {
    if (node.type !== 'Reshape') continue;
    const source = graph.constant(node.inputs[0]);
    const shape = graph.model.constants.get(node.inputs[1])?.values;
    if (source === undefined || !shape || shape.includes(0)) continue;
    const known = shape.filter((size) => size > 0).reduce((product, size) => product * size, 1);
    const dims = [...shape].map((size) => (size < 0 ? source.values.length / known : size));
    graph.bypass(node, graph.setConstant(node.outputs[0], dims, source.values));
  }
}

/** The x of x · clip(x + 3, 0, 6) / 6, and the nodes of that expression; null for another node. */
function matchHardSwish(graph, division) {
  const quotient = division.type === 'Div' ? graph.splitNumber(division) : null;
  const product = quotient?.number === 6 ? graph.producer(quotient.input) : undefined;
  if (product?.type !== 'Mul' || !graph.isUsedOnce(product.outputs[0])) return null;
  for (const [x, factor] of [product.inputs, [...product.inputs].reverse()]) {
    const clip = graph.producer(factor);
    const sum = clip?.type === 'Clip' ? graph.producer(clip.inputs[0]) : undefined;
    const shift = sum?.type === 'Add' ? graph.splitNumber(sum) : null;
    const limits = clip?.inputs.slice(1).map((name) => graph.constant(name)?.values[0]);
    if (shift?.input !== x || shift.number !== 3 || limits[0] !== 0 || limits[1] !== 6) continue;
    const parts = [sum, clip, product];
    return parts.every(({ outputs }) => graph.isUsedOnce(outputs[0])) ? { x, parts } : null;
  }
  return null;
}

function replaceHardSwish(graph) {
  for (const division of [...graph.model.nodes]) {
    const match = matchHardSwish(graph, division);
    if (match === null) continue;
    const { nodes } = graph.model;
    const gate = `${division.outputs[0]}_gate`;
    const attributes = [writeAttribute('alpha', { float: 1 / 6 }), writeAttribute('beta', { float: 0.5 })];
    nodes.splice(
      nodes.indexOf(division),
      1,
      { type: 'HardSigmoid', inputs: [match.x], outputs: [gate], attributes },
      { type: 'Mul', inputs: [match.x, gate], outputs: division.outputs },
    );
    graph.model.nodes = nodes.filter((node) => !match.parts.includes(node));
  }
}

/** The value of a constant for each output channel of a convolution; null for a constant of another shape. */
function readPerChannel({ dims, values }, channels) {
  if (values.length === 1) return () => values[0];
  const isPerChannel = values.length === channels && dims.at(-3) === channels && dims.at(-2) === 1 && dims.at(-1) === 1;
  return isPerChannel ? (index) => values[index] : null;
}

/** Conv → Mul or Add of a constant. */
function foldIntoPreceding(graph) {
  for (const node of [...graph.model.nodes]) {
    const operands = node.type === 'Mul' || node.type === 'Add' ? graph.splitOperands(node) : null;
    const conv = operands && graph.producer(operands.input);
    const own = conv && graph.isUsedOnce(operands.input) && graph.weights(conv);
    const get = own && readPerChannel(operands.constant, own.channels);
    if (!get || graph.outputs.has(node.outputs[0])) continue;
    if (node.type === 'Mul') graph.mapWeights(conv, get, (index, bias) => bias * get(index));
    else
      graph.mapWeights(
        conv,
        () => 1,
        (index, bias) => bias + get(index),
      );
    graph.bypass(node, operands.input);
  }
}

const hasPadding = (conv) =>
  readIntegerAttribute(conv, 'pads').some((size) => size !== 0) ||
  conv.attributes.some((attribute) => attribute.includes('SAME_'));

/** The channels of the input of a convolution: those of a group times the number of groups. */
const countInputChannels = (graph, conv) =>
  graph.weights(conv).weights.dims[1] * (readIntegerAttribute(conv, 'group')[0] ?? 1);

/** Makes a node a convolution that adds a number to every value. */
function replaceByShift(graph, node, input, { summand, channels }) {
  const name = `${node.outputs[0]}_shift`;
  const ones = graph.setConstant(`${name}_weights`, [channels, 1, 1, 1], new Float32Array(channels).fill(1));
  const bias = graph.setConstant(name, [channels], new Float32Array(channels).fill(summand));
  node.type = 'Conv';
  node.inputs = [input, ones, bias];
  node.attributes = [writeAttribute('kernel_shape', [1, 1]), writeAttribute('group', channels)];
}

/**
 * Mul a → Add b → convolutions. The factor becomes part of their weights; the summand of their biases too, unless one of
 * them pads its input with zeros, to which the summand does not apply: there b / a is added, by a convolution with one
 * weight of 1 per channel, because ONNX Runtime reorders the activations before and after an Add.
 */
function foldIntoFollowing(graph) {
  for (const node of [...graph.model.nodes]) {
    const factor = node.type === 'Mul' ? graph.splitNumber(node) : null;
    if (factor === null || Math.abs(factor.number) < SMALLEST_FACTOR || !graph.isUsedOnce(node.outputs[0])) continue;
    const [sum] = graph.consumers(node.outputs[0]);
    const summand = sum.type === 'Add' ? graph.splitNumber(sum) : null;
    if (summand === null || graph.outputs.has(sum.outputs[0])) continue;
    const users = graph.consumers(sum.outputs[0]);
    if (users.length === 0 || users.some((user) => user.inputs[0] !== sum.outputs[0] || !graph.weights(user))) continue;
    const isPadded = users.some(hasPadding);
    for (const user of users) {
      graph.mapWeights(
        user,
        () => factor.number,
        (_, bias, weightSum) => (isPadded ? bias : bias + weightSum * summand.number),
      );
    }
    graph.bypass(node, factor.input);
    if (isPadded) {
      replaceByShift(graph, sum, factor.input, {
        summand: summand.number / factor.number,
        channels: countInputChannels(graph, users[0]),
      });
    } else {
      graph.bypass(sum, factor.input);
    }
  }
}

/** Replaces weights of almost zero by zero, in place. */
export function clearTinyWeights(model) {
  const { constants } = model;
  for (const [name, tensor] of constants) {
    if (tensor.type !== FLOAT) continue;
    const values = tensor.values.map((value) => (Math.abs(value) < SMALLEST_WEIGHT ? 0 : value));
    constants.set(name, { ...tensor, values });
  }
  return model;
}

/**
 * Folds a model in place.
 *
 * @param {ReturnType<import('./model.mjs').readModel>} model
 */
export function foldModel(model) {
  const graph = new Graph(model);
  foldReshapes(graph);
  replaceHardSwish(graph);
  foldIntoPreceding(graph);
  foldIntoFollowing(graph);
  return clearTinyWeights(model);
}

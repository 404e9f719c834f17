// Merges layers of a network that follow one another without an activation between them. Weights are computed in double
// precision and rounded once, so that every machine writes the same file.
import { Graph } from './graph.mjs';
import { readIntegerAttribute } from './model.mjs';

/** The epsilon that PaddlePaddle writes, as a 32-bit float. */
const NORMALISATION_EPSILON = Math.fround(1e-5);

/** Factor and summand per channel of a batch normalisation. */
function readNormalisation(graph, { inputs: [, ...names] }) {
  const [scale, shift, mean, variance] = names.map((name) => graph.constant(name).values);
  const factor = Float64Array.from(scale, (value, at) => value / Math.sqrt(variance[at] + NORMALISATION_EPSILON));
  return { factor, summand: Float64Array.from(factor, (value, at) => shift[at] - mean[at] * value) };
}

/** Writes weights and bias of a convolution or transposed convolution. */
export function setWeights(graph, node, { dims, values, bias }) {
  const name = `${node.outputs[0]}_merged`;
  node.inputs[1] = graph.setConstant(name, dims, values);
  node.inputs[2] = graph.setConstant(`${name}_bias`, [bias.length], bias);
}

/** Weights and bias of a convolution or transposed convolution, whose weights begin with the input channels. */
export function getWeights(graph, node) {
  const weights = graph.constant(node.inputs[1]);
  const channels = weights.dims[node.type === 'Conv' ? 0 : 1];
  const bias = node.inputs[2] === undefined ? undefined : graph.constant(node.inputs[2]);
  return { ...weights, bias: Float64Array.from(bias?.values ?? new Float64Array(channels)) };
}

/** Transposed convolution → Add of a constant per channel. */
function mergeSummands(graph) {
  for (const node of [...graph.model.nodes]) {
    const operands = node.type === 'Add' ? graph.splitOperands(node) : null;
    const conv = operands && graph.producer(operands.input);
    if (conv?.type !== 'ConvTranspose' || !graph.isUsedOnce(operands.input)) continue;
    const weights = getWeights(graph, conv);
    const added = operands.constant.values;
    if (added.length !== weights.bias.length || graph.outputs.has(node.outputs[0])) continue;
    setWeights(graph, conv, { ...weights, bias: weights.bias.map((value, at) => value + added[at]) });
    graph.bypass(node, operands.input);
  }
}

/** Convolution → BatchNormalization. */
function mergeNormalisations(graph) {
  for (const node of [...graph.model.nodes]) {
    const conv = node.type === 'BatchNormalization' ? graph.producer(node.inputs[0]) : undefined;
    if ((conv?.type !== 'Conv' && conv?.type !== 'ConvTranspose') || !graph.isUsedOnce(conv.outputs[0])) continue;
    const { factor, summand } = readNormalisation(graph, node);
    const { dims, values, bias } = getWeights(graph, conv);
    const [count, size] = [factor.length, dims[2] * dims[3]];
    const getChannel = (at) =>
      conv.type === 'Conv' ? Math.floor(at / (dims[1] * size)) : Math.floor(at / size) % count;
    setWeights(graph, conv, {
      dims,
      values: Float64Array.from(values, (value, at) => value * factor[getChannel(at)]),
      bias: bias.map((value, at) => value * factor[at] + summand[at]),
    });
    graph.bypass(node, conv.outputs[0]);
  }
}

/** Whether a node is a convolution of single pixels that mixes all channels. */
export const isPointwise = (graph, node) =>
  node?.type === 'Conv' &&
  graph
    .constant(node.inputs[1])
    ?.dims.slice(2)
    .every((size) => size === 1) === true &&
  [...readIntegerAttribute(node, 'strides'), readIntegerAttribute(node, 'group')[0] ?? 1].every((size) => size === 1) &&
  readIntegerAttribute(node, 'pads').every((size) => size === 0);

/** Weights and bias of a pointwise convolution that does what two in succession do. */
function multiplyPointwise(first, second) {
  const [rows, inner] = second.dims;
  const columns = first.dims[1];
  const values = new Float64Array(rows * columns);
  const bias = Float64Array.from(second.bias);
  for (let row = 0; row < rows; row += 1) {
    for (let at = 0; at < inner; at += 1) {
      const weight = second.values[row * inner + at];
      bias[row] += weight * first.bias[at];
      for (let column = 0; column < columns; column += 1) {
        values[row * columns + column] += weight * first.values[at * columns + column];
      }
    }
  }
  return { dims: [rows, columns, 1, 1], values, bias };
}

/** Two pointwise convolutions, where one takes fewer multiplications. */
function mergePointwise(graph) {
  for (const node of [...graph.model.nodes]) {
    const previous = isPointwise(graph, node) ? graph.producer(node.inputs[0]) : undefined;
    if (!isPointwise(graph, previous) || !graph.isUsedOnce(previous.outputs[0])) continue;
    const [first, second] = [getWeights(graph, previous), getWeights(graph, node)];
    if (second.dims[0] * first.dims[1] >= first.values.length + second.values.length) continue;
    setWeights(graph, node, multiplyPointwise(first, second));
    node.inputs[0] = previous.inputs[0];
    graph.model.nodes.splice(graph.model.nodes.indexOf(previous), 1);
  }
}

/** Pointwise convolution → mean of the image → pointwise convolution: the mean of the input, if it has fewer channels. */
function poolBeforePointwise(graph) {
  for (const pool of graph.model.nodes) {
    const previous = pool.type === 'GlobalAveragePool' ? graph.producer(pool.inputs[0]) : undefined;
    const [next] = graph.consumers(pool.outputs[0]);
    if (!isPointwise(graph, previous) || !isPointwise(graph, next) || !graph.isUsedOnce(pool.outputs[0])) continue;
    const [first, second] = [getWeights(graph, previous), getWeights(graph, next)];
    if (first.dims[1] >= first.dims[0]) continue;
    setWeights(graph, next, multiplyPointwise(first, second));
    pool.inputs[0] = previous.inputs[0];
  }
}

/** y + y · gate, where the gate is one number per channel, becomes y · (gate + 1). */
function addToGates(graph) {
  for (const sum of graph.model.nodes) {
    const [value, name] = sum.inputs;
    const product = sum.type === 'Add' ? graph.producer(name) : undefined;
    if (product?.type !== 'Mul' || product.inputs[0] !== value || !graph.isUsedOnce(name)) continue;
    const gate = graph.producer(product.inputs[1]);
    const isPerChannel = graph.producer(graph.producer(gate?.inputs[0])?.inputs[0])?.type === 'Relu';
    if (gate?.type !== 'HardSigmoid' || !isPerChannel) continue;
    product.type = 'Add';
    product.inputs = [product.inputs[1], graph.setConstant(`${name}_one`, [1], Float64Array.of(1))];
    sum.type = 'Mul';
  }
}

/**
 * Merges the layers of a model in place.
 *
 * @param {ReturnType<import('./model.mjs').readModel>} model
 */
export function mergeLayers(model) {
  const graph = new Graph(model);
  mergeSummands(graph);
  mergeNormalisations(graph);
  mergePointwise(graph);
  poolBeforePointwise(graph);
  addToGates(graph);
  return model;
}

// Small networks with everything that the conversions of models change.
import { FLOAT, writeAttribute, writeValueInfo } from '../../../scripts/toolchain/onnx/model.mjs';
import { bytesField, intField, message } from '../../../scripts/toolchain/onnx/protobuf.mjs';

/** Pseudo-random numbers between −1 and 1, the same in every run. */
function createRandom() {
  let state = 20261122;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

export const random = createRandom();
export const count = (dims) => dims.reduce((product, size) => product * size, 1);

/** A network that is built node by node. */
class Builder {
  nodes = [];
  constants = new Map();

  constant(dims, values = Float32Array.from({ length: count(dims) }, random)) {
    const name = `constant_${this.constants.size}`;
    this.constants.set(name, { type: FLOAT, dims, values });
    return name;
  }

  number(value) {
    return this.constant([1], Float32Array.of(value));
  }

  add(type, inputs, attributes = {}) {
    const output = `value_${this.nodes.length}`;
    this.nodes.push({
      type,
      inputs,
      outputs: [output],
      attributes: Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
    });
    return output;
  }

  /** A convolution with these weights that keeps the size of its input, unless it has strides. */
  convolve(input, dims, { bias = false, ...attributes } = {}) {
    // Divided so that values remain about as large as those of the input.
    const fan = Math.sqrt(count(dims.slice(1)));
    const values = Float32Array.from({ length: count(dims) }, () => random() / fan);
    const weights = [this.constant(dims, values), ...(bias ? [this.constant([dims[0]])] : [])];
    const pad = (dims[2] - 1) / 2;
    return this.add('Conv', [input, ...weights], { pads: [pad, pad, pad, pad], ...attributes });
  }

  toModel(output, inputDims, outputDims, operators) {
    return {
      nodes: this.nodes,
      constants: this.constants,
      inputs: [{ name: 'image', raw: writeValueInfo('image', inputDims) }],
      outputs: [{ name: output, raw: writeValueInfo(output, outputDims) }],
      name: 'example',
      header: [intField(1, 8), bytesField(8, message(bytesField(1, ''), intField(2, operators)))],
    };
  }
}

/** Two convolutions with hard swish, with factors and summands before and after them, one of them padded. */
export function buildFoldingExample() {
  const network = new Builder();
  const scale = (input, factor, summand) =>
    network.add('Add', [network.add('Mul', [network.number(factor), input]), network.number(summand)]);
  const hardSwish = (x) => {
    const shifted = network.add('Add', [x, network.number(3)]);
    const clipped = network.add('Clip', [shifted, network.number(0), network.number(6)]);
    return network.add('Div', [network.add('Mul', [x, clipped]), network.number(6)]);
  };
  const tiny = network.constant([4, 3, 3, 3]);
  // Denormal, just above the denormal numbers, and ordinary weights.
  network.constants.get(tiny).values.set([1e-40, -3e-39, 2e-37]);
  let x = network.add('Conv', ['image', tiny], { pads: [1, 1, 1, 1] });
  x = hardSwish(scale(x, 0.7, 0.3));
  x = network.convolve(scale(x, 0.4, -0.2), [4, 1, 3, 3], { group: 4 });
  x = hardSwish(scale(network.add('Add', [x, network.constant([1, 4, 1, 1])]), 1.9, 0.8));
  x = network.convolve(scale(x, 0.6, 0.5), [5, 4, 1, 1], { bias: true });
  return network.toModel(x, [1, 3, 9, 7], [1, 5, 9, 7], 13);
}

/** Three levels of an image, added and concatenated after enlarging, and an output of four times their size. */
export function buildDetectorExample() {
  const network = new Builder();
  const noRegion = network.constant([0], new Float32Array(0));
  const enlarge = (input, factor) =>
    network.add('Resize', [input, noRegion, network.constant([4], Float32Array.of(1, 1, factor, factor))], {
      mode: 'nearest',
      coordinate_transformation_mode: 'asymmetric',
      nearest_mode: 'floor',
    });
  const normalise = (input, channels) => {
    const variance = network.constant(
      [channels],
      Float32Array.from({ length: channels }, () => 1 + random() / 2),
    );
    const [scale, shift, mean] = [1, 2, 3].map(() => network.constant([channels]));
    return network.add('BatchNormalization', [input, scale, shift, mean, variance]);
  };
  const gate = (input, channels) => {
    const mean = network.add('GlobalAveragePool', [input]);
    const squeezed = network.add('Relu', [network.convolve(mean, [3, channels, 1, 1], { bias: true })]);
    const excited = network.convolve(squeezed, [channels, 3, 1, 1], { bias: true });
    const factor = network.add('HardSigmoid', [excited], { alpha: { float: 0.2 }, beta: { float: 0.5 } });
    return network.add('Add', [input, network.add('Mul', [input, factor])]);
  };
  const enlargeByTransposing = (input, outputs) => {
    const weights = network.constant([4, outputs, 2, 2]);
    const grown = network.add('ConvTranspose', [input, weights], { strides: [2, 2], pads: [0, 0, 0, 0] });
    return network.add('Add', [grown, network.constant([1, outputs, 1, 1])]);
  };
  const large = network.add('Relu', [normalise(network.convolve('image', [5, 3, 3, 3]), 5)]);
  const medium = network.add('Relu', [network.convolve(large, [5, 5, 3, 3], { bias: true, strides: [2, 2] })]);
  const small = network.add('Relu', [network.convolve(medium, [4, 5, 3, 3], { bias: true, strides: [2, 2] })]);
  // Two pointwise convolutions, the first of which has more channels than its input and than the output.
  const smallSum = gate(network.convolve(network.convolve(small, [9, 4, 1, 1], { bias: true }), [6, 9, 1, 1]), 6);
  const mediumSum = network.add('Add', [gate(network.convolve(medium, [6, 5, 1, 1]), 6), enlarge(smallSum, 2)]);
  const largeSum = network.add('Add', [gate(network.convolve(large, [6, 5, 1, 1]), 6), enlarge(mediumSum, 2)]);
  const reduce = (input) => gate(network.convolve(input, [4, 6, 3, 3]), 4);
  const levels = [enlarge(reduce(smallSum), 4), enlarge(reduce(mediumSum), 2), reduce(largeSum)];
  const joined = network.convolve(network.add('Concat', levels, { axis: 1 }), [4, 12, 3, 3]);
  const grown = enlargeByTransposing(network.add('Relu', [normalise(joined, 4)]), 4);
  const output = enlargeByTransposing(network.add('Relu', [normalise(grown, 4)]), 1);
  const probability = network.add('Sigmoid', [output]);
  return network.toModel(probability, [1, 3, 'height', 'width'], [1, 1, 'rows', 'columns'], 11);
}

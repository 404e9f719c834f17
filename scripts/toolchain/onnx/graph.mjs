import { FLOAT, integerTensor, writeAttribute } from './model.mjs';

/** Access to a model whose nodes change. */
export class Graph {
  constructor(model) {
    this.model = model;
    this.outputs = new Set(model.outputs.map(({ name }) => name));
    /** of nodes that were inserted */
    this.count = 0;
  }

  producer(name) {
    return this.model.nodes.find(({ outputs }) => outputs.includes(name));
  }

  consumers(name) {
    return this.model.nodes.filter(({ inputs }) => inputs.includes(name));
  }

  /** Whether only one node, and not the caller of the network, uses a value. */
  isUsedOnce(name) {
    return !this.outputs.has(name) && this.consumers(name).length === 1;
  }

  constant(name) {
    const tensor = this.model.constants.get(name);
    return tensor?.type === FLOAT ? tensor : undefined;
  }

  setConstant(name, dims, values) {
    this.model.constants.set(name, { type: FLOAT, dims, values });
    return name;
  }

  setIntegers(name, values) {
    this.model.constants.set(name, integerTensor(name, values));
    return name;
  }

  /** Adds a node before another one and returns the name of its output. */
  insertBefore(next, { type, inputs, attributes = {} }) {
    const output = `inserted_${this.count}`;
    this.count += 1;
    const written = Object.entries(attributes).map(([name, value]) => writeAttribute(name, value));
    this.model.nodes.splice(this.model.nodes.indexOf(next), 0, {
      type,
      inputs,
      outputs: [output],
      attributes: written,
    });
    return output;
  }

  /** Removes the nodes that no output depends on. */
  removeUnused() {
    const needed = new Set(this.outputs);
    const kept = [...this.model.nodes].reverse().filter(({ inputs, outputs }) => {
      if (!outputs.some((name) => needed.has(name))) return false;
      for (const name of inputs) needed.add(name);
      return true;
    });
    this.model.nodes = kept.reverse();
  }

  /** Removes a node and has its consumers use another value instead of its output. */
  bypass(node, replacement) {
    this.model.nodes.splice(this.model.nodes.indexOf(node), 1);
    for (const each of this.model.nodes) {
      each.inputs = each.inputs.map((name) => (name === node.outputs[0] ? replacement : name));
    }
  }

  /** The variable and the constant of a Mul or Add with one of each, or null. */
  splitOperands({ inputs: [left, right] }) {
    for (const [input, name] of [
      [left, right],
      [right, left],
    ]) {
      const constant = this.constant(name);
      if (constant !== undefined && this.constant(input) === undefined) return { input, constant };
    }
    return null;
  }

  /** Like `splitOperands`, for a constant that is a single number. */
  splitNumber(node) {
    const operands = this.splitOperands(node);
    return operands?.constant.values.length === 1
      ? { input: operands.input, number: operands.constant.values[0] }
      : null;
  }

  /** The weights of a convolution, if they are constants that no other node uses. */
  weights(conv) {
    const weights = this.constant(conv.inputs[1]);
    const bias = conv.inputs[2] === undefined ? undefined : this.constant(conv.inputs[2]);
    const isOwn = conv.inputs.slice(1).every((name) => this.constant(name) && this.consumers(name).length === 1);
    return conv.type === 'Conv' && isOwn ? { weights, bias, channels: weights.dims[0] } : null;
  }

  /** Replaces weights and bias of a convolution by functions of them and of the index of the output channel. */
  mapWeights(conv, scaleOf, biasOf) {
    const { weights, bias, channels } = this.weights(conv);
    const size = weights.values.length / channels;
    const sums = new Float64Array(channels);
    weights.values.forEach((value, index) => (sums[Math.floor(index / size)] += value));
    const scaled = Float64Array.from(weights.values, (value, index) => value * scaleOf(Math.floor(index / size)));
    const moved = Float64Array.from({ length: channels }, (_, index) =>
      biasOf(index, bias?.values[index] ?? 0, sums[index]),
    );
    this.setConstant(conv.inputs[1], weights.dims, scaled);
    if (bias !== undefined || moved.some((value) => value !== 0)) {
      conv.inputs[2] = this.setConstant(conv.inputs[2] ?? `${conv.inputs[1]}_bias`, [channels], moved);
    }
  }
}

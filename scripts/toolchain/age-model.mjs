// Converts the age network of @vladmandic/face-api, which is published as quantised TensorFlow.js weights, to ONNX: its
// feature extractor (a small Xception) and the age regression, without the classifier of the sex.
import { floatTensor, writeAttribute, writeNode, writeValueInfo } from './onnx/model.mjs';
import { bytesField, intField, message } from './onnx/protobuf.mjs';

const writeNamedNode = (type, inputs, output, attributes = {}) =>
  writeNode({
    type,
    inputs,
    outputs: [output],
    attributes: Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
  });

/** The weights by name, dequantised: value = byte × scale + minimum. */
const readWeights = (manifest, bytes) => {
  const weights = new Map();
  let at = 0;
  for (const { name, shape, quantization } of manifest.flatMap((group) => group.weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      values[index] =
        quantization === undefined
          ? bytes.readFloatLE(at + 4 * index)
          : (bytes[at + index] ?? 0) * quantization.scale + quantization.min;
    }
    at += quantization === undefined ? 4 * count : count;
    weights.set(name, { shape, values });
  }
  return weights;
};

/** Reorders filters from TensorFlow's height, width, input, output to ONNX's output, input, height, width. */
const transpose = ({ shape: [height, width, input, output], values }) => {
  const result = new Float32Array(values.length);
  let out = 0;
  for (let o = 0; o < output; o += 1) {
    for (let i = 0; i < input; i += 1) {
      for (let at = 0; at < height * width; at += 1, out += 1) {
        result[out] = values[(at * input + i) * output + o];
      }
    }
  }
  return { dims: [output, input, height, width], values: result };
};

/** Collects nodes and initialisers. Every method returns the name of the output that it added. */
class Graph {
  nodes = [];
  initializers = [];

  constructor(weights) {
    this.weights = weights;
  }

  constant(name, dims, values) {
    this.initializers.push(floatTensor(name, dims, values));
    return name;
  }

  add(type, inputs, attributes) {
    const output = `${type.toLowerCase()}_${this.nodes.length}`;
    this.nodes.push(writeNamedNode(type, inputs, output, attributes));
    return output;
  }

  filters(name) {
    const { dims, values } = transpose(this.weights.get(name));
    return { dims, name: this.constant(name, dims, values) };
  }

  bias(name) {
    const { shape, values } = this.weights.get(`${name}/bias`);
    return this.constant(`${name}/bias`, shape, values);
  }

  relu(input) {
    return this.add('Relu', [input]);
  }

  conv(input, name, stride) {
    const inputs = [input, this.filters(`${name}/filters`).name, this.bias(name)];
    return this.add('Conv', inputs, { strides: [stride, stride], auto_pad: 'SAME_UPPER' });
  }

  separable(input, name) {
    // A depthwise filter has one output per input; in ONNX it is a convolution with one group per channel.
    const { shape, values } = this.weights.get(`${name}/depthwise_filter`);
    const [height, width, channels] = shape;
    const depthwise = transpose({ shape: [height, width, 1, channels], values });
    const filter = this.constant(`${name}/depthwise_filter`, depthwise.dims, depthwise.values);
    const spread = this.add('Conv', [input, filter], { group: channels, auto_pad: 'SAME_UPPER' });
    return this.add('Conv', [spread, this.filters(`${name}/pointwise_filter`).name, this.bias(name)]);
  }

  reduction(input, name, activated) {
    const first = this.separable(activated ? this.relu(input) : input, `${name}/separable_conv0`);
    const second = this.separable(this.relu(first), `${name}/separable_conv1`);
    const pooled = this.add('MaxPool', [second], { kernel_shape: [3, 3], strides: [2, 2], auto_pad: 'SAME_UPPER' });
    return this.add('Add', [pooled, this.conv(input, `${name}/expansion_conv`, 2)]);
  }

  main(input, name) {
    const last = [0, 1, 2].reduce(
      (out, index) => this.separable(this.relu(out), `${name}/separable_conv${index}`),
      input,
    );
    return this.add('Add', [last, input]);
  }
}

/**
 * @param {Buffer} manifest the weights manifest, JSON
 * @param {Buffer} bytes the quantised weights
 * @returns {Buffer} the ONNX model: `image` 1×3×112×112 → `age` in years, 1×1
 */
export function convertAgeModel(manifest, bytes) {
  const graph = new Graph(readWeights(JSON.parse(manifest.toString('utf8')), bytes));
  let out = graph.relu(graph.conv('image', 'entry_flow/conv_in', 2));
  out = graph.reduction(out, 'entry_flow/reduction_block_0', false);
  out = graph.reduction(out, 'entry_flow/reduction_block_1', true);
  for (const block of [0, 1]) out = graph.main(out, `middle_flow/main_block_${block}`);
  out = graph.reduction(out, 'exit_flow/reduction_block', true);
  out = graph.relu(graph.separable(out, 'exit_flow/separable_conv'));
  const pooled = graph.add('Flatten', [graph.add('GlobalAveragePool', [out])]);
  const { shape, values } = graph.weights.get('fc/age/weights');
  graph.nodes.push(
    writeNamedNode('Gemm', [pooled, graph.constant('fc/age/weights', shape, values), graph.bias('fc/age')], 'age'),
  );

  const content = message(
    graph.nodes.map((each) => bytesField(1, each)),
    bytesField(2, 'age'),
    graph.initializers.map((each) => bytesField(5, each)),
    bytesField(11, writeValueInfo('image', [1, 3, 112, 112])),
    bytesField(12, writeValueInfo('age', [1, 1])),
  );
  return message(intField(1, 8), bytesField(7, content), bytesField(8, message(bytesField(1, ''), intField(2, 13))));
}

// Runs networks before and after their conversion and prints the greatest difference of their outputs as JSON. Run by
// tests in a process of its own, because the toolchain consists of ES modules.
//
//   node model-conversion.mjs example <fold|clear-tiny-weights>   a small network with everything that is folded
//   node model-conversion.mjs published <folder>                  the published files of the manifest in a folder
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { CONVERSIONS } from '../../../scripts/toolchain/conversions.mjs';
import {
  FLOAT,
  readModel,
  writeAttribute,
  writeModel,
  writeValueInfo,
} from '../../../scripts/toolchain/onnx/model.mjs';
import { bytesField, intField, message } from '../../../scripts/toolchain/onnx/protobuf.mjs';

/** Pseudo-random numbers between −1 and 1, the same in every run. */
function createRandom() {
  let state = 20261122;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const random = createRandom();
const count = (dims) => dims.reduce((product, size) => product * size, 1);

/** Two convolutions with hard swish, with factors and summands before and after them, one of them padded. */
function buildExample() {
  const constants = new Map();
  const nodes = [];
  const constant = (name, dims, values = Float32Array.from({ length: count(dims) }, random)) => {
    constants.set(name, { type: FLOAT, dims, values });
    return name;
  };
  const number = (value) => constant(`number_${constants.size}`, [1], Float32Array.of(value));
  const add = (type, inputs, attributes = {}) => {
    const output = `value_${nodes.length}`;
    nodes.push({
      type,
      inputs,
      outputs: [output],
      attributes: Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
    });
    return output;
  };
  const scale = (input, factor, summand) => add('Add', [add('Mul', [number(factor), input]), number(summand)]);
  const hardSwish = (x) => {
    const clipped = add('Clip', [add('Add', [x, number(3)]), number(0), number(6)]);
    return add('Div', [add('Mul', [x, clipped]), number(6)]);
  };
  constant('tiny', [4, 3, 3, 3]);
  // Denormal, just above the denormal numbers, and ordinary weights.
  constants.get('tiny').values.set([1e-40, -3e-39, 2e-37]);
  let x = add('Conv', ['image', 'tiny'], { pads: [1, 1, 1, 1] });
  x = hardSwish(scale(x, 0.7, 0.3));
  x = add('Conv', [scale(x, 0.4, -0.2), constant('depthwise', [4, 1, 3, 3])], { pads: [1, 1, 1, 1], group: 4 });
  x = hardSwish(scale(add('Add', [x, constant('channels', [1, 4, 1, 1])]), 1.9, 0.8));
  x = add('Conv', [scale(x, 0.6, 0.5), constant('pointwise', [5, 4, 1, 1]), constant('bias', [5])]);
  return {
    nodes,
    constants,
    inputs: [{ name: 'image', raw: writeValueInfo('image', [1, 3, 9, 7]) }],
    outputs: [{ name: x, raw: writeValueInfo(x, [1, 5, 9, 7]) }],
    name: 'example',
    header: [intField(1, 8), bytesField(8, message(bytesField(1, ''), intField(2, 13)))],
  };
}

/** The outputs of a network for one input. */
async function run(bytes, data, dims) {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const results = await session.run({ [session.inputNames[0]]: new Tensor('float32', data, dims) });
  return session.outputNames.map((name) => results[name]);
}

const findDifference = (before, after) =>
  before.reduce((most, value, index) => Math.max(most, Math.abs(value - after[index])), 0);

async function compare(published, converted, dims) {
  const data = Float32Array.from({ length: count(dims) }, random);
  const [[before], [after]] = [await run(published, data, dims), await run(converted, data, dims)];
  const difference = findDifference(before.data, after.data);
  const nodes = [published, converted].map((bytes) => readModel(bytes).nodes.length);
  return { difference, nodes };
}

/** Inputs of the published networks. */
const INPUTS = {
  face_landmarks: [1, 1, 64, 64],
  face_embedding: [1, 3, 112, 112],
  text_detector: [1, 3, 224, 320],
};

/** The published recogniser, and the converted one followed by its head, whose classes are in another order. */
async function compareRecogniser(published, dictionary) {
  const dims = [1, 3, 48, 320];
  const data = Float32Array.from({ length: count(dims) }, random);
  const [before] = await run(published, data, dims);
  const [, features] = await run(CONVERSIONS['fold-and-cut-head'](published, dictionary), data, dims);
  const [after] = await run(CONVERSIONS['extract-head'](published, dictionary), features.data, features.dims);
  const entries = ['', ...dictionary.toString('utf8').split('\n').slice(0, -1), ' '];
  const order = CONVERSIONS['order-dictionary'](dictionary).toString('utf8').split('\n');
  const classes = new Map(entries.map((entry, index) => [entry, index]));
  const size = order.length;
  const reordered = after.data.map(
    (_, at) => before.data[Math.floor(at / size) * size + classes.get(order[at % size])],
  );
  return { difference: findDifference(reordered, after.data) };
}

async function comparePublished(folder) {
  const { models } = JSON.parse(await readFile('activities/vision/models.json', 'utf8'));
  const differences = {};
  for (const { role, path: file, conversion } of models) {
    const dims = INPUTS[role];
    if (dims === undefined) continue;
    const published = await readFile(path.join(folder, path.basename(file)));
    differences[role] = await compare(published, CONVERSIONS[conversion](published), dims);
  }
  const readPublished = (role) =>
    readFile(path.join(folder, path.basename(models.find((model) => model.role === role).path)));
  differences.text_recogniser = await compareRecogniser(
    await readPublished('text_recogniser'),
    await readPublished('text_dictionary'),
  );
  return differences;
}

const [mode, argument] = process.argv.slice(2);
const example = mode === 'example' ? writeModel(buildExample()) : undefined;
const result =
  mode === 'example'
    ? await compare(example, CONVERSIONS[argument](example), [1, 3, 9, 7])
    : await comparePublished(argument);
console.log(JSON.stringify(result));

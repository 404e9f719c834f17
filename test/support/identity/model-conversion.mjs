// Runs networks before and after their conversion and prints the greatest difference of their outputs as JSON. Run by
// tests in a process of its own, because the toolchain consists of ES modules.
//
//   node model-conversion.mjs example <fold|clear-tiny-weights>   a small network with everything that is folded
//   node model-conversion.mjs detector <fold-and-merge>           a small network with everything that is merged
//   node model-conversion.mjs published <folder>                  the published files of the manifest in a folder
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { CONVERSIONS } from '../../../scripts/toolchain/conversions.mjs';
import { readModel, writeModel } from '../../../scripts/toolchain/onnx/model.mjs';
import { buildDetectorExample, buildFoldingExample, count, random } from './example-networks.mjs';

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
  const networks = [published, converted].map(readModel);
  const types = new Set(networks[1].nodes.map(({ type }) => type));
  return { difference, nodes: networks.map(({ nodes }) => nodes.length), types: [...types].sort() };
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

const EXAMPLES = {
  example: { network: buildFoldingExample, dims: [1, 3, 9, 7] },
  detector: { network: buildDetectorExample, dims: [1, 3, 16, 24] },
};

async function compareExample({ network, dims }, conversion) {
  const example = writeModel(network());
  return compare(example, CONVERSIONS[conversion](example), dims);
}

const [mode, argument] = process.argv.slice(2);
const example = EXAMPLES[mode];
console.log(JSON.stringify(await (example ? compareExample(example, argument) : comparePublished(argument))));

// What is done with a published model file before it is used: `conversion` in activities/vision/models.json. Every
// conversion writes the same bytes on every machine, and the manifest has their SHA-256.
import { convertAgeModel } from './age-model.mjs';
import { clearTinyWeights, foldModel } from './onnx/fold.mjs';
import { mergeLayers } from './onnx/merge-layers.mjs';
import { readModel, writeModel } from './onnx/model.mjs';
import { convertDictionary, cutHead, extractHead } from './onnx/recogniser.mjs';
import { convolveBeforeEnlarging } from './onnx/upsampling.mjs';

/**
 * The conversions by name. The arguments are the published file and, where the manifest names one as `companion`, a
 * further file of the same package.
 * @type {Record<string, (published: Buffer, companion?: Buffer) => Buffer>}
 */
export const CONVERSIONS = {
  'tfjs-age': (weights, manifest) => convertAgeModel(manifest, weights),
  'clear-tiny-weights': (model) => writeModel(clearTinyWeights(readModel(model))),
  fold: (model) => writeModel(foldModel(readModel(model))),
  'fold-and-merge': (model) => writeModel(convolveBeforeEnlarging(mergeLayers(foldModel(readModel(model))))),
  'fold-and-cut-head': (model, dictionary) => writeModel(foldModel(cutHead(readModel(model), dictionary))),
  'extract-head': (model, dictionary) => writeModel(extractHead(readModel(model), dictionary)),
  'order-dictionary': (dictionary) => convertDictionary(dictionary),
};

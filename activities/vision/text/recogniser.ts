import type { Networks, Output } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';
import type { TextLine } from './detector';

/** Height of the recogniser input. */
export const LINE_HEIGHT = 48;
const MIN_WIDTH = 48;
const MAX_WIDTH = 2048;

/** Class probabilities per time step: rows of `classes` values. A step covers `1 / steps` of the length of the line. */
export interface Emissions {
  steps: number;
  classes: number;
  data: Float32Array;
}

/** Emissions for the classes of Latin, Greek and Cyrillic, with the features from which the head computes all classes. */
export interface Recognition extends Emissions {
  features: Output;
}

/** A recognised character and its position along the line (0–1). */
export interface RecognisedCharacter {
  text: string;
  /** class in the dictionary */
  index: number;
  confidence: number;
  at: number;
}

/**
 * Extracts a text line, levelled and scaled to the input of a recogniser.
 *
 * @param width width of the strip in pixels @default proportional to the line
 * @param height height of the strip in pixels @default that of the text recogniser
 */
export function extractLineStrip(
  image: ImagePyramid,
  line: TextLine,
  width = computeStripWidth(line),
  height = LINE_HEIGHT,
): Raster {
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  const [along, across] = [line.length / width, line.height / height];
  return image.samplePatch(width, height, [
    along * cos,
    -across * sin,
    line.x - (line.length / 2) * cos + (line.height / 2) * sin,
    along * sin,
    across * cos,
    line.y - (line.length / 2) * sin - (line.height / 2) * cos,
  ]);
}

const computeStripWidth = ({ length, height }: TextLine): number =>
  Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(((length / height) * LINE_HEIGHT) / 8) * 8));

const toEmissions = (networks: Networks, output: Output | undefined): Emissions => {
  const [, steps = 0, classes = 0] = output?.dims ?? [];
  if (output === undefined || classes > networks.dictionary.length) {
    throw new Error(`The text recogniser has ${classes} classes, which its dictionary does not match.`);
  }
  return { steps, classes, data: output.data };
};

const PIXEL_RANGE = { order: 'BGR', mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5] } as const;

/** Runs the recogniser on a strip. */
export async function recognise(networks: Networks, strip: Raster): Promise<Recognition> {
  const tensor = toTensor(strip, PIXEL_RANGE, networks.takeInput(3 * LINE_HEIGHT * strip.width));
  const [output, features] = await networks.run('text_recogniser', tensor, [1, 3, LINE_HEIGHT, strip.width]);
  if (features === undefined) throw new Error('The text recogniser returned no features.');
  return { ...toEmissions(networks, output), features };
}

/** Computes the emissions of a recognised strip for all classes of the dictionary. */
export async function recogniseAllScripts(networks: Networks, { features }: Recognition): Promise<Emissions> {
  const [output] = await networks.run('text_head', features.data, features.dims);
  return toEmissions(networks, output);
}

function findHighest(data: Float32Array, start: number, count: number): [index: number, value: number] {
  let best = 0;
  let value = data[start] ?? 0;
  for (let index = 1; index < count; index += 1) {
    const other = data[start + index] ?? 0;
    if (other > value) {
      value = other;
      best = index;
    }
  }
  return [best, value];
}

/** Greedy CTC decoding: the most probable class of every step, without repeats and blanks. */
export function decodeGreedily(
  dictionary: readonly string[],
  { steps, classes, data }: Emissions,
): RecognisedCharacter[] {
  const read: RecognisedCharacter[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step += 1) {
    const start = step * classes;
    // Probabilities of a step sum to one, so a blank above one half, the common case, is the most probable class.
    const [best, confidence] = (data[start] ?? 0) > 0.5 ? [0, 1] : findHighest(data, start, classes);
    if (best !== 0 && best !== previous) {
      read.push({ text: dictionary[best] ?? '', index: best, confidence, at: (step + 0.5) / steps });
    }
    previous = best;
  }
  return read;
}

import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';
import { computeAlignment } from './landmarks';
import type { Point } from './landmarks';

/** Side of the aligned face, the input of the embedding network. */
export const ALIGNED_SIZE = 112;

/** Crops a face to 112×112 pixels with eyes and mouth at the positions of the template. */
export const alignFace = (image: ImagePyramid, landmarks: readonly Point[]): Raster =>
  image.samplePatch(ALIGNED_SIZE, ALIGNED_SIZE, computeAlignment(landmarks));

export interface Embedding {
  /** 512 values of unit length */
  values: Float32Array;
  /**
   * norm before normalisation, a measure of face quality: 3.3 and more for upright faces in ordinary photographs, 2.5
   * and less for the same faces rotated by 90 or 180 degrees
   */
  magnitude: number;
}

/** Computes the embedding of an aligned face. */
export async function embedAligned(networks: Networks, aligned: Raster): Promise<Embedding> {
  const tensor = toTensor(aligned, { order: 'BGR', mean: [127, 127, 127], deviation: [128, 128, 128] });
  const values = await networks.runFirstOutput('face_embedding', tensor, [1, 3, ALIGNED_SIZE, ALIGNED_SIZE]);
  const magnitude = Math.hypot(...values);
  return { values: values.map((value) => (magnitude === 0 ? 0 : value / magnitude)), magnitude };
}

/** Cosine of two embeddings of unit length, −1 to 1. */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

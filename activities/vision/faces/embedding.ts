import type { Networks } from '../inference/sessions';
import type { Raster } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';

/** Side of the aligned face the embedding network takes. */
export const ALIGNED_SIZE = 112;

/** The embedding of an aligned face: 512 values of unit length. */
export async function embedAligned(networks: Networks, aligned: Raster): Promise<Float32Array> {
  const tensor = toTensor(aligned, { order: 'BGR', mean: [127, 127, 127], deviation: [128, 128, 128] });
  const values = await networks.first('face_embedding', tensor, [1, 3, ALIGNED_SIZE, ALIGNED_SIZE]);
  const length = Math.hypot(...values);
  return values.map((value) => (length === 0 ? 0 : value / length));
}

/** Cosine of two embeddings of unit length, −1–1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../domain/errors';
import { MODELS, getModel } from '../manifest';
import type { ModelRole } from '../manifest';

/**
 * The bytes of a model, checked against the manifest. The check is made on the very bytes that are then loaded.
 *
 * @throws AppError `model_missing` or `model_altered`, naming the file
 */
export async function readModel(modelsDir: string, role: ModelRole): Promise<Buffer> {
  const { file, sha256 } = getModel(role);
  const bytes = await readFile(join(modelsDir, file)).catch(() => null);
  if (bytes === null) {
    throw new AppError('model_missing', 503, `The model file ${file} is missing; "npm run models" fetches it.`, {
      file,
    });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new AppError('model_altered', 503, `The model file ${file} is not the one the manifest names.`, { file });
  }
  return bytes;
}

/** Checks every model of the manifest; the first one missing or altered stops it. */
export async function verifyModels(modelsDir: string): Promise<void> {
  for (const { role } of MODELS) await readModel(modelsDir, role);
}

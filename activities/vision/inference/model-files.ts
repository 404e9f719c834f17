import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../domain/errors';
import { MODELS, getModel } from '../manifest';
import type { ModelRole } from '../manifest';

/** Folder of the manifest and the bundled models; the build copies both. */
const BUNDLED_DIR = join(__dirname, '..');

/**
 * Reads a model file and verifies its SHA-256 against the manifest. The returned bytes are the verified ones.
 *
 * @throws AppError `model_missing` or `model_altered`, with the file name
 */
export async function readModel(modelsDir: string, role: ModelRole): Promise<Buffer> {
  const { file, sha256, bundled } = getModel(role);
  const bytes = await readFile(join(bundled ? BUNDLED_DIR : modelsDir, file)).catch(() => null);
  if (bytes === null) {
    const remedy = bundled ? 'npm run build' : 'npm run admin -- models fetch';
    throw new AppError('model_missing', 503, `Model file ${file} is missing; run "${remedy}".`, { file });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new AppError('model_altered', 503, `The model file ${file} does not match its SHA-256 in the manifest.`, {
      file,
    });
  }
  return bytes;
}

/** Verifies every model file of the manifest; rejects on the first that is missing or altered. */
export async function verifyModels(modelsDir: string): Promise<void> {
  for (const { role } of MODELS) await readModel(modelsDir, role);
}

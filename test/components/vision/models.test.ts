import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVisionEngine } from '../../../activities/vision/engine';
import { MODELS, listModelUses } from '../../../activities/vision/manifest';
import { MODELS_DIR } from '../../support/identity/vision-engine';

describe('the model manifest', () => {
  test('lists each role and each file once, with licence and provenance', () => {
    expect(new Set(MODELS.map(({ role }) => role)).size).toBe(MODELS.length);
    expect(new Set(MODELS.map(({ file }) => file)).size).toBe(MODELS.length);
    for (const { licence, provenance } of MODELS) expect(licence.length * provenance.length).toBeGreaterThan(0);
  });

  test('provides the SHA-256 of the models of a result', () => {
    expect(listModelUses('face_detector')[0]).toMatchObject({
      role: 'face_detector',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });
});

(existsSync(MODELS_DIR) ? describe : describe.skip)('an engine with wrong model files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vouch-models-'));
    await cp(MODELS_DIR, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('does not start without a model, and reports the file', async () => {
    await rm(path.join(folder, 'fr_eye.onnx'));
    await expect(createVisionEngine({ modelsDir: folder, threads: 1 })).rejects.toMatchObject({
      code: 'model_missing',
      details: { file: 'fr_eye.onnx' },
    });
  });

  test('does not start with an altered model, and reports the file', async () => {
    await writeFile(path.join(folder, 'fr_feature.onnx'), 'not the network');
    await expect(createVisionEngine({ modelsDir: folder, threads: 1 })).rejects.toMatchObject({
      code: 'model_altered',
      details: { file: 'fr_feature.onnx' },
    });
  });
});

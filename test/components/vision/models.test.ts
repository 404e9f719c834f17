import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { createVisionEngine } from '../../../activities/vision/engine';
import { MODELS, getEmbeddingWeights, listModelUses } from '../../../activities/vision/manifest';
import { MODELS_DIR, describeEngine } from '../../support/identity/vision-engine';

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

describe('the identity of face embeddings', () => {
  test('is that of the published weights, so that faces indexed before their conversion are still found', () => {
    expect(getEmbeddingWeights()).toBe('87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581');
  });
});

describeEngine('the scripts of text', () => {
  const pageSchema = z.object({
    page: z.array(z.string()),
    lines: z.array(z.object({ alphabets: z.string(), all: z.string() })),
  });
  const read = (pages: Record<string, string[]>): Record<string, z.infer<typeof pageSchema>> =>
    z
      .record(z.string(), pageSchema)
      .parse(
        JSON.parse(
          execFileSync(
            process.execPath,
            ['test/support/identity/read-scripts.cjs', MODELS_DIR, JSON.stringify(pages)],
            { encoding: 'utf8', env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' } },
          ),
        ),
      );

  test('Latin and Greek are read the same with and without the classes of other scripts, and Chinese is read', () => {
    const pages = read({
      'noto-sans': [
        'Österreich Führerschein Nr. 12/345',
        'Numéro de série: À É Ç ñ ø ł č',
        'Ελληνική Δημοκρατία 1974',
        'P<UTODOE<<JANE<ANN<<<<<<<<<<<<',
        'Name: O’Brien-Smith, 12.03.1990 (M)',
      ],
      'noto-sans-sc': ['中华人民共和国', '姓名/Name 王小明', '出生日期 1990'],
    });
    const latin = pages['noto-sans'];
    expect(latin?.lines).toHaveLength(5);
    for (const { alphabets, all } of latin?.lines ?? []) expect(alphabets).toBe(all);
    expect(latin?.page).toContain("Name: O'Brien-Smith, 12.03.1990 (M)");
    // Also in lines whose Latin part alone would be read with confidence.
    expect(pages['noto-sans-sc']?.page).toEqual(
      expect.arrayContaining(['中华人民共和国', '姓名/Name', '王小明', '出生日期', '1990']),
    );
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
    await writeFile(path.join(folder, 'fr_feature.folded.onnx'), 'not the network');
    await expect(createVisionEngine({ modelsDir: folder, threads: 1 })).rejects.toMatchObject({
      code: 'model_altered',
      details: { file: 'fr_feature.folded.onnx' },
    });
  });
});

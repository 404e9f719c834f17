import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';

const root = path.resolve(__dirname, '..', '..', '..');
const comparisonSchema = z.object({
  difference: z.number(),
  nodes: z.array(z.number()).optional(),
  types: z.array(z.string()).optional(),
});

/** Compares networks before and after their conversion. */
const compare = (...args: string[]): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['test/support/identity/model-conversion.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
    }),
  );

describe('the conversion of models at installation', () => {
  test('folds constants and hard swish into convolutions without changing the output', () => {
    const { difference, nodes } = comparisonSchema.parse(compare('example', 'fold'));
    expect(difference).toBeLessThanOrEqual(1e-5);
    // Three convolutions, two hard swishes of two nodes, and the summand before the padded convolution remain.
    expect(nodes).toEqual([20, 8]);
  });

  test('clears weights whose products are denormal numbers without changing any bit of the output', () => {
    expect(comparisonSchema.parse(compare('example', 'clear-tiny-weights'))).toMatchObject({
      difference: 0,
      nodes: [20, 20],
    });
  });

  test('merges layers and convolves activations before they are enlarged without changing the output', () => {
    const { difference, types } = comparisonSchema.parse(compare('detector', 'fold-and-merge'));
    expect(difference).toBeLessThanOrEqual(1e-5);
    expect(types).not.toContain('BatchNormalization');
    expect(types).not.toContain('ConvTranspose');
    // The weights of one convolution are computed from its gate.
    expect(types).toContain('MatMul');
  });

  // A folder with the published files, as in the packages that activities/vision/models.json names.
  const published = process.env['VOUCH_PUBLISHED_MODELS_DIR'];
  (published === undefined ? test.skip : test)(
    'changes no output of the published models (VOUCH_PUBLISHED_MODELS_DIR)',
    () => {
      const differences = z.record(z.string(), comparisonSchema).parse(compare('published', published ?? ''));
      expect(differences).toMatchObject({ face_landmarks: { difference: 0 }, face_embedding: { difference: 0 } });
      expect(differences['text_detector']?.difference).toBeLessThanOrEqual(1e-5);
      expect(differences['text_recogniser']?.difference).toBeLessThanOrEqual(1e-5);
    },
  );
});

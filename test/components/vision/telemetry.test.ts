import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { resolveCompiledFile } from '../../../lib/compiled-file';
import { describeEngine, MODELS_DIR } from '../../support/identity/vision-engine';

const USE_ENGINE = `
const { createVisionEngine } = require(process.argv[1]);
(async () => {
  const engine = await createVisionEngine({ modelsDir: process.argv[2], threads: 1 });
  await engine.selfTest();
  await engine.close();
})();
`;

/** ONNX Runtime reports nothing if one of these is set, as in a test. */
const SUPPRESSING = /^(CI|BUILD_|GITHUB_|TF_BUILD|ORT_|JENKINS_|TEAMCITY_|TRAVIS)/;

let [folder, home] = ['', ''];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vouch-telemetry-'));
  home = path.join(folder, 'home');
  await mkdir(home);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs Node.js with an empty home folder, and without what would suppress reports. */
function runNode(...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SUPPRESSING.test(name)));
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...env, HOME: home, XDG_CACHE_HOME: path.join(home, 'cache') },
  });
}

describeEngine('no reports for the maker of ONNX Runtime, and no identifier of the machine, are kept by', () => {
  test('the engine', async () => {
    runNode('-e', USE_ENGINE, resolveCompiledFile('activities/vision/engine'), MODELS_DIR);
    expect(await readdir(home)).toEqual([]);
  });

  test('a benchmark that runs networks in its own thread', async () => {
    const labels = path.join(folder, 'labels.csv');
    await writeFile(labels, 'file\nempty.png\n');
    await sharp({ create: { width: 400, height: 300, channels: 3, background: 'white' } })
      .png()
      .toFile(path.join(folder, 'empty.png'));
    const printed = runNode('scripts/compiled.mjs', 'bench', 'document-stages', labels, '--models', MODELS_DIR);
    expect(JSON.parse(printed.split('\n', 1).join())).toMatchObject({ bench: 'document-stages', documents: 1 });
    expect(await readdir(home)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveCompiledFile } from '../../../activities/compiled-file';
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

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vouch-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describeEngine('the engine', () => {
  test('keeps no reports for the maker of ONNX Runtime, and no identifier of the machine', async () => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SUPPRESSING.test(name)));
    execFileSync(process.execPath, ['-e', USE_ENGINE, resolveCompiledFile('vision/engine'), MODELS_DIR], {
      env: { ...env, HOME: home, XDG_CACHE_HOME: path.join(home, 'cache') },
    });
    expect(await readdir(home)).toEqual([]);
  });
});

